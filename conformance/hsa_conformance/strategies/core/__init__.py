"""Generators for the topics of hsa.h."""
