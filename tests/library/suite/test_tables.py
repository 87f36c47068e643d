"""Functions without a symbol: asked for, called, and said why when they cannot be called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.running.choice.applicability import Applicability, GeneralExclusions
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.tables import FILL, SUPPORTED, missing
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.amd.pools.fixtures import allocate_block, known_pools
from hsa_reports import actions, operands
from hsa_spec import Registry
from hsa_spec.releases import Release
from tests.library.suite.fake_results import Put

HOST = "hsa_ven_amd_loader_query_host_address"
ITERATE = "hsa_ven_amd_loader_iterate_executables"
INTERCEPT = "hsa_amd_queue_intercept_create"

PoolOf = Callable[..., SessionPool]


@pytest.fixture(scope="module")
def pool_of(registry: Registry, fake: Callable[..., Path]) -> Iterator[PoolOf]:
    """Return a function that makes a pool over a fake; all are closed in the end."""
    pools = []

    def pool_of(name: str, **defines: object) -> SessionPool:
        library = fake(name, **defines)
        pools.append(
            SessionPool(LibraryAdapter(library, registry), registry, TOPICS, expect_no_device=False)
        )
        return pools[-1]

    yield pool_of
    for pool in pools:
        pool.close()


@pytest.fixture(scope="module")
def loader(pool_of: PoolOf) -> SessionPool:
    return pool_of("loader")


@pytest.fixture
def session(loader: SessionPool) -> Iterator[Session]:
    with loader.session(initialised=True, fresh=True) as session:
        yield session


def calls(session: Session) -> list[str]:
    """Return what was called, without the arguments."""
    return [step.call.partition("(")[0] for step in session.trace.steps]


def block(session: Session) -> int:
    fixtures = Fixtures(session, lambda _: 1)
    return allocate_block(fixtures, known_pools(fixtures, lambda p: p.allocatable)[0])


def test_a_table_is_asked_for_once_an_example(session: Session) -> None:
    """The steps say how its member came by its name, and the call is at that address."""
    address = block(session)
    before = len(session.trace.steps)
    for offset in (0, 8):
        answer = session.call(HOST, device_address=address + offset, host_address=Out())
        assert address + offset == answer["host_address"]
    looked = f"read the number at table -> {HOST}1"
    assert [SUPPORTED, FILL, "read the number at table", HOST, HOST] == calls(session)[before:]
    assert looked in [f"{step.call} -> {step.result}" for step in session.trace.steps]
    assert isinstance(session.trace.steps[-1].action, actions.Call)
    assert operands.Named(f"{HOST}1") == session.trace.steps[-1].action.address


def test_the_next_example_asks_again(session: Session) -> None:
    """Its steps have to make a program of their own."""
    for _ in range(2):
        session.fresh()
        assert session.call(
            ITERATE, callback=Callback("hsa_ven_amd_loader_executable_callback"), data=5
        ).callbacks == ((0xE8EC, 5),)
        assert [SUPPORTED, FILL, "read the number at table + 0x30", ITERATE] == calls(session)


def test_a_peer_asks_for_a_table_of_its_own(session: Session) -> None:
    """An address means nothing in another process."""
    peer = session.peer()
    assert session.call(HOST, device_address=0, host_address=Out()).name == (
        "HSA_STATUS_ERROR_INVALID_ARGUMENT"
    )
    answer = peer.call(HOST, device_address=4096, host_address=Out())
    assert "HSA_STATUS_ERROR_NOT_INITIALIZED" == answer.name
    assert {"main", "peer"} == {s.process for s in session.trace.steps if s.call.startswith(FILL)}


def test_a_runtime_that_is_not_initialised_is_so_while_it_is_asked(loader: SessionPool) -> None:
    """A table is of no use to a caller who was not initialised once."""
    with loader.session(initialised=False, fresh=True) as session:
        answer = session.call(HOST, device_address=4096, host_address=Out())
        assert "HSA_STATUS_ERROR_NOT_INITIALIZED" == answer.name
        assert ["hsa_init", SUPPORTED, FILL] == calls(session)[:3]
        assert ["hsa_shut_down", HOST] == calls(session)[-2:]


def test_a_function_of_a_table_is_called_in_a_thread(session: Session) -> None:
    """With the address among what a program needs to do the same."""
    address = block(session)
    session.start(HOST, {"device_address": address, "host_address": Out()})
    begun = session.trace.steps[-1].action
    assert isinstance(begun, actions.Start)
    assert operands.Named(f"{HOST}1") == begun.address
    assert address == session.join()["host_address"]


@pytest.mark.parametrize(
    ("name", "defines", "function", "verdict", "reason"),
    [
        ("honest", {}, HOST, "BLOCKED", f"{SUPPORTED}/exported: the symbol is missing"),
        (
            *("loader", {"FAKE_NO_LOADER": 1}, HOST, "NOT_APPLICABLE"),
            "the library does not support version 1 of HSA_EXTENSION_AMD_LOADER",
        ),
        (
            *("loader", {}, "hsa_ven_amd_loader_query_executable", "BLOCKED"),
            f"{FILL}/filled: the table has no function hsa_ven_amd_loader_query_executable",
        ),
        (
            *("honest", {}, "hsa_amd_signal_create", "BLOCKED"),
            "hsa_amd_signal_create/exported: the symbol is missing",
        ),
    ],
)
def test_what_a_library_lacks_is_said(
    pool_of: PoolOf,
    name: str,
    defines: dict[str, int],
    function: str,
    verdict: str,
    reason: str,
) -> None:
    """Nothing is called then."""
    pool = pool_of(name, **defines)
    values = dict.fromkeys(pool.registry.functions[function].parameter, 0)
    with (
        pool.session(initialised=True, fresh=True) as session,
        pytest.raises(Unavailable) as caught,
    ):
        session.call_with(function, values)
    assert (verdict, reason) == (caught.value.verdict, caught.value.reason)


def test_calls_before_hsa_init_are_judged_through_a_table(put: Put) -> None:
    """They need nothing but the address, whether the suite knows the topic or not."""
    clause = f"{HOST}/not-initialized"
    [result] = put("loader", clause)[clause]
    assert "PASS" == result.verdict


def test_what_is_needed_of_a_table_is_what_the_library_exports(registry: Registry) -> None:
    """A function of a table is called by its symbol all the same, where there is one."""
    function = registry.functions[HOST]
    assert SUPPORTED == missing(function, ())
    assert FILL == missing(function, {SUPPORTED})
    assert missing(function, {SUPPORTED, FILL}) is None
    assert missing(function, {HOST}) is None
    assert "hsa_init" == missing(registry.functions["hsa_init"], {SUPPORTED, FILL})


def test_a_library_need_not_have_a_table_that_it_does_not_claim(
    registry: Registry, loader: SessionPool
) -> None:
    """That it fills tables of extensions says nothing of this one."""
    subject = replace(loader.subject, claims=frozenset({"hsa_init"}))
    found = Applicability(
        GeneralExclusions(registry, TOPICS), subject, Release.parse("6.1")
    ).exclusion(registry.clauses[f"{HOST}/not-initialized"])
    assert found is not None
    assert "NOT_APPLICABLE" == found.verdict


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        (f"{INTERCEPT}/not-initialized", None),
        (f"{HOST}/not-initialized", None),
        (
            "hsa_flag_set64/sets-one-bit",
            "hsa_flag_set64 is inline in the header, and no library has it",
        ),
    ],
)
def test_why_no_call_is_possible(registry: Registry, clause: str, reason: str | None) -> None:
    """What only libraries of tools are handed can be called: the suite brings one."""
    assert reason == GeneralExclusions(registry, TOPICS).reason(registry.clauses[clause])
