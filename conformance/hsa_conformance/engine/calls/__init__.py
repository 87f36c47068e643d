"""Calls: their values, in numbers and in words, and what may come of them."""
