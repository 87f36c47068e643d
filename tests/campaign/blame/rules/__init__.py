"""Rules that a library breaks, and refusals that it does not get over."""
