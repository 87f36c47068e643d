"""Queues of AMD's GPUs: their compute units and their attributes."""

from hsa_conformance.suite.amd.queues import attributes, masks

__all__ = ["attributes", "masks"]
