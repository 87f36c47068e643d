"""Pages of the documentation that take long to follow."""
