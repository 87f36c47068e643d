"""The plan of a program: what it has to do, before any language is chosen."""
