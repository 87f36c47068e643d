"""Initialisation: how often, and what libraries of tools are handed."""

from hsa_conformance.topics.core.init.properties import counts, restarts, tools

PROOFS = (counts.proves, restarts.proves, tools.proves)
