"""Which clauses are checked, and what the reference does with them."""
