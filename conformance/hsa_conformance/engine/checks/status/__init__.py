"""Checks of the status that a call answers."""
