"""Signals: their values, waits for them, several threads at once, and groups."""

from hsa_conformance.suite.core.signals import creating, values

__all__ = ["creating", "values"]
