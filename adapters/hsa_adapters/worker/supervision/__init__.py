"""Processes forked one by one, and the one that watches them."""
