"""Libraries that are wrong for one value alone, and whether the suite names the function."""
