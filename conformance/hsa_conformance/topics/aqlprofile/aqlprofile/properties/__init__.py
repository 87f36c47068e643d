"""Properties of the profiler, by what they are about."""

from hsa_conformance.topics.aqlprofile.aqlprofile.properties import (
    events,
    library,
    packets,
    results,
)

PROOFS = (events.proves, library.proves, packets.proves, results.proves)
