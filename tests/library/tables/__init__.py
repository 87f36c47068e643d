"""Tables of numbers and layouts, read against where they come from."""
