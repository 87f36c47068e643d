"""Asks the same once more: what nothing is said to change has to stay as it is."""
