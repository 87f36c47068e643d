"""Initialisation: how often, what libraries of tools are handed, and which GPUs are seen."""

from hsa_conformance.topics.core.init.properties import counts, limits, restarts, tools, visible

PROOFS = (counts.proves, limits.proves, restarts.proves, tools.proves, visible.proves)
