"""Properties of the runtime's settings."""

from hsa_conformance.topics.amd.settings.properties import log, scratch

PROOFS = (log.proves, scratch.proves)
