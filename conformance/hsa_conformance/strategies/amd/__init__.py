"""Generators for the topics of the AMD extensions."""
