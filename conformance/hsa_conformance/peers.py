"""A second process with an initialised runtime, for what processes share."""

from __future__ import annotations

from hsa_conformance.discover import discover
from hsa_conformance.session import Session


def second_process(session: Session) -> Session:
    """Return the second process; start and initialise it, and learn about the machine, once."""
    peer = session.peer()
    if not peer.model.references:
        peer.must("hsa_init")
        steps = len(peer.trace)
        discover(peer)
        del peer.trace[steps:]  # asking for the machine has no part in a story
    return peer
