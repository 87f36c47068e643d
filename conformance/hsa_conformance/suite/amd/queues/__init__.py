"""Queues of AMD's GPUs: their compute units, attributes, engines, and hardware."""

from hsa_conformance.suite.amd.queues import attributes, counted, creating, masks

__all__ = ["attributes", "counted", "creating", "masks"]
