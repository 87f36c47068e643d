"""Mistakes over the reference that take a sequence of calls to show, by what they are about."""
