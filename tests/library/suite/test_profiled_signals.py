"""A signal of which times are known, and one that has its handle later."""

from __future__ import annotations

from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.amd.profiling.state import FACTS, PASSING
from hsa_conformance.topics.core.signals.state import Signal

HANDLE = 0x7000


def test_a_handle_that_comes_back_is_another_signal() -> None:
    """What is known of a signal is not known of a later one with the same handle."""
    model = Model(4096, lambda *_: None, facts=FACTS)
    model.add("signal", HANDLE, thing=Signal(HANDLE))
    model.add(PASSING[0], HANDLE, thing=model.find("signal", HANDLE))
    assert model.holds("was_profiled", HANDLE)
    model.remove("signal", HANDLE)
    assert not model.holds("was_profiled", HANDLE)
    model.add("signal", HANDLE, thing=Signal(HANDLE))
    assert not model.holds("was_profiled", HANDLE)
