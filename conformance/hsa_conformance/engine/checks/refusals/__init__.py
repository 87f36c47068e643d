"""Checks of calls during which the driver or the C library refuses something."""
