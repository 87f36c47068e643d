"""Signals: their values, waits for them, several threads at once, and groups."""

from hsa_conformance.suite.core.signals import creating, groups, threads, values, waits

__all__ = ["creating", "groups", "threads", "values", "waits"]
