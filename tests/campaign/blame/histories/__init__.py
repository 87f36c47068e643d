"""Mistakes that take several calls, or several rounds, to show."""
