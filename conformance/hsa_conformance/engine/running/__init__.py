"""Runs the checks of clauses: chooses them, makes their examples, and shortens one that fails."""
