"""How runs change a baseline file: entry by entry, then its text."""
