"""Every object and every list tried: which sorts there are, and which of them are to blame."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator, Mapping

import pytest

from hsa_adapters.calls import Call, Outcome
from hsa_conformance import subjects
from hsa_conformance.engine.calls.symbols import Labels, Symbol, label_of
from hsa_conformance.engine.running.runner import Runner
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.library.suite.test_campaign import Counting
from tests.wrong.inside import running

REFUSED = 0x1001


@pytest.fixture
def adapter(registry: Registry) -> Counting:
    return Counting(subjects.reference(None, registry))


@pytest.fixture
def runner(adapter: Counting, registry: Registry) -> Iterator[Runner]:
    """Return a runner of checks on the reference, which has two GPUs."""
    with running(adapter, registry) as runner:
        yield runner


def handle(runner: Runner, kind: str, words: str) -> int:
    """Return the handle of an object of the machine."""
    with runner.pool.session(initialised=True) as session:
        [found] = [
            int(thing.handle)
            for thing in session.model.live(kind)
            if (label := label_of(thing)) and label.words == words
        ]
    return found


def run(runner: Runner, clause: str) -> list[Result]:
    return runner.run(runner.registry.clauses[clause])


def blamed(results: list[Result]) -> Mapping[str, Verdict]:
    return {r.value: r.verdict for r in results if r.value is not None}


def refuses(function: str, wrong: Callable[[Call], bool]) -> Callable[[Call], Outcome | None]:
    """Return what refuses some calls of a function."""

    def spoil(call: Call) -> Outcome | None:
        if call.function == function and wrong(call):
            return Outcome(REFUSED, (b"\0" * 8,) * len(call.reads))
        return None

    return spoil


def test_labels_say_what_and_which() -> None:
    """They count within their owner, and what comes after the second shares a label."""
    labels = Labels("agent")
    agents = [Symbol(n, str(n), label=labels.next("gpu")) for n in range(3)]
    pools = Labels("pool")
    found = [pools.next("coarse-grained", owner).words for owner in agents[:2] for _ in range(2)]
    assert ["gpu", "second gpu", "another gpu"] == [
        label.words for label in map(label_of, agents) if label
    ]
    assert [
        "gpu coarse-grained",
        "gpu second coarse-grained",
        "second gpu coarse-grained",
        "second gpu second coarse-grained",
    ] == found


def test_every_sort_of_pool_is_tried(runner: Runner) -> None:
    """A success that a pool can be asked for is judged with each sort of pool."""
    result = run(runner, "hsa_amd_memory_pool_get_info/success")[0]
    pools = {t.value for t in result.values if t.axis == "memory_pool" and t.outcome == "judged"}
    assert {
        "cpu kernarg",
        "cpu coarse-grained",
        "gpu coarse-grained",
        "gpu group",
        "gpu private",
        "gpu read-only",
        "second gpu coarse-grained",
        "second gpu group",
        "second gpu private",
        "second gpu read-only",
    } == pools


@pytest.mark.parametrize(
    ("function", "kind", "parameter", "words"),
    [
        ("hsa_agent_get_info", "agent", "agent", "second gpu"),
        ("hsa_amd_vmem_handle_create", "pool", "pool", "second gpu coarse-grained"),
    ],
)
def test_a_refused_object_is_blamed(
    runner: Runner, adapter: Counting, function: str, kind: str, parameter: str, words: str
) -> None:
    """A library that refuses one agent or pool alone fails with it alone."""
    bad, device = handle(runner, kind, words), runner.registry.constants["HSA_AGENT_INFO_DEVICE"]
    # What every process is asked for first is answered.
    adapter.spoil = refuses(function, lambda call: call.args[0] == bad and call.args[1] != device)
    assert {f"{parameter}={words}": Verdict.FAIL} == blamed(run(runner, f"{function}/success"))


def test_an_object_behind_a_property_is_blamed(runner: Runner, adapter: Counting) -> None:
    """An effect that fails on the second GPU alone fails with it alone."""
    bad = handle(runner, "agent", "second gpu")

    def spoil(call: Call) -> Outcome | None:
        if call.function != "hsa_agent_get_info" or call.args[:2] != (bad, 0):
            return None
        return Outcome(0, (b"x" * 64, b"\xa5" * 16))

    adapter.spoil = spoil
    results = run(runner, "hsa_agent_get_info/name")
    assert {"agent=second gpu": Verdict.FAIL} == blamed(results)


@pytest.mark.parametrize("words", ["1 element", "2 elements", "all elements"])
def test_a_refused_length_is_blamed(runner: Runner, adapter: Counting, words: str) -> None:
    """A library that refuses lists of one length alone fails with it alone."""
    count = {"1 element": 1, "2 elements": 2, "all elements": 3}[words]
    adapter.spoil = refuses("hsa_amd_agents_allow_access", lambda call: call.args[0] == count)
    results = run(runner, "hsa_amd_agents_allow_access/success")
    assert {f"agents={words}": Verdict.FAIL} == blamed(results)


@pytest.mark.parametrize("words", ["first", "in the middle", "last"])
def test_an_overlooked_element_is_blamed(runner: Runner, adapter: Counting, words: str) -> None:
    """A library that does not look at one place of a list alone fails with it alone."""
    known = {handle(runner, "agent", w) for w in ("cpu", "gpu", "second gpu")}

    def overlooks(call: Call) -> Outcome | None:
        if call.function != "hsa_amd_agents_allow_access":
            return None
        count, array, *_ = call.args
        assert isinstance(array, int)
        agents = struct.unpack(f"<{count}Q", ctypes.string_at(array, 8 * int(str(count))))
        bad = [place for place, agent in enumerate(agents) if agent not in known]
        places = {
            "first": [0],
            "last": [len(agents) - 1],
            "in the middle": range(1, len(agents) - 1),
        }
        return Outcome(0, ()) if bad and set(bad) <= set(places[words]) else None

    adapter.spoil = overlooks
    results = run(runner, "hsa_amd_agents_allow_access/agent-zero")
    assert {f"bad element={words}": Verdict.WARN} == blamed(results)
