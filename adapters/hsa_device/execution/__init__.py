"""Dispatches, and how they are executed."""
