"""Random programs of calls, each judged as it is made."""
