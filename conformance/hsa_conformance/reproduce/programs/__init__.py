"""A plan written as a program, in C or in Python."""
