"""Verdicts: which answers are allowed, and which clause is to blame for another one."""
