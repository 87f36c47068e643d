"""Checks of what a call does."""
