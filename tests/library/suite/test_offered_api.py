"""What is not offered is not called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_adapters.protocol import Subject
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.library.offered_api import OfferedApi, offered_api_of
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_spec import Registry, named_sets
from hsa_spec.releases import NO_INTERFACE, Release

HSA_1_0 = Release(interface=NO_INTERFACE, hsa="1.0")
SUBJECT = Subject("library", "library", "/lib.so", None, frozenset())


@pytest.fixture
def offered_api(registry: Registry) -> OfferedApi:
    """Return what a library offers that claims HSA 1.0."""
    return OfferedApi(named_sets(registry)["core-1.0"].functions, HSA_1_0, registry)


@pytest.mark.parametrize(
    ("newest", "offered"),
    [
        ("hsa_signal_load_scacquire", "hsa_signal_load_acquire"),
        ("hsa_signal_store_screlease", "hsa_signal_store_release"),
        ("hsa_signal_add_scacq_screl", "hsa_signal_add_acq_rel"),
        ("hsa_queue_load_read_index_scacquire", "hsa_queue_load_read_index_acquire"),
        ("hsa_signal_load_relaxed", "hsa_signal_load_relaxed"),
        # no older name says the same
        ("hsa_signal_silent_store_screlease", "hsa_signal_silent_store_screlease"),
    ],
)
def test_the_newest_name_that_is_offered_is_called(
    offered_api: OfferedApi, newest: str, offered: str
) -> None:
    assert offered == offered_api.newest(newest)


def test_a_session_calls_no_function_that_is_not_offered(
    session: Session, offered_api: OfferedApi
) -> None:
    """Whoever asks: the process does not hear of it."""
    session.offered_api = offered_api
    before = session.calls
    with pytest.raises(Unavailable) as caught:
        session.call("hsa_amd_memory_pool_free", ptr=0)
    reason = "needs hsa_amd_memory_pool_free, which the implementation is not said to have"
    assert (Verdict.UNTESTED, reason) == (caught.value.verdict, caught.value.reason)
    assert before == session.calls


def test_a_session_asks_for_no_attribute_that_is_not_offered(
    session: Session, offered_api: OfferedApi
) -> None:
    """An attribute counts as called."""
    session.offered_api = offered_api
    attribute = session.registry.constants["HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED"]
    with pytest.raises(Unavailable, match="needs HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, which the"):
        session.call("hsa_system_get_info", attribute=attribute, value=Out())


def test_no_kind_of_memory_is_made_that_takes_what_is_not_offered(
    session: Session, offered_api: OfferedApi
) -> None:
    """A program that knows HSA 1.0 alone has memory of its own, and of regions."""
    fixtures = Fixtures(session, lambda _: 1)
    assert {"plain memory", "pool block", "mapped memory"} <= fixtures.kinds().keys()
    session.offered_api = offered_api
    assert not {"pool block", "mapped memory"} & fixtures.kinds().keys()


def test_a_claim_is_all_that_is_offered(registry: Registry) -> None:
    """What the library exports besides does not count."""
    exports = frozenset(registry.functions)
    subject = replace(SUBJECT, exports=exports, claims=frozenset({"hsa_init"}))
    assert frozenset({"hsa_init"}) == offered_api_of(subject, HSA_1_0, registry).functions


def test_without_a_claim_a_version_is_assumed(registry: Registry) -> None:
    """All of the core of that version, and of extensions those that are nearly all there."""
    sets = named_sets(registry)
    core, images = sets["core-1.0"].functions, sets["images-1.0"].functions
    assert core == offered_api_of(replace(SUBJECT, exports=core), HSA_1_0, registry).functions
    both = offered_api_of(replace(SUBJECT, exports=core | images), HSA_1_0, registry).functions
    assert core | images == both
