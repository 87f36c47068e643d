"""Random programs on the reference as a C library: no crash, and nothing grows."""
