"""A reference or a library with one mistake, and who is blamed for it."""
