"""Times of copies and dispatches, and the clock that they are on."""

from hsa_conformance.topics.amd.profiling.properties import copies, dispatches

PROOFS = (copies.proves, dispatches.proves)
