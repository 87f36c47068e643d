"""Generators of calls: inputs that satisfy a clause, and inputs that just miss it."""
