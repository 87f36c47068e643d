"""Calls of several threads at one time."""
