"""Signals with attributes, handlers of signals, and waits for several signals."""

from hsa_conformance.suite.amd.signals import creating, handlers, waiting

__all__ = ["creating", "handlers", "waiting"]
