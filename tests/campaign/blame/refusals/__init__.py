"""Refusals that a library does not get over."""
