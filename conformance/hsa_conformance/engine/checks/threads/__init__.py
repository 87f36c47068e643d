"""Checks of calls that several threads make at one time."""
