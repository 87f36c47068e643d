"""Rules that a library breaks."""
