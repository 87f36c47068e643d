"""Which checks each clause gets, and why a clause gets none."""
