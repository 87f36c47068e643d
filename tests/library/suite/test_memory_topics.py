"""Copies, fills and registrations over functions with one known fault each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import hypothesis
import pytest
from hypothesis import strategies as st

from hsa_adapters.calls import Call, Outcome
from hsa_adapters.protocol import Process
from hsa_conformance.engine.calls.outcomes import ProvesNothing, Violation
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.running.failures.simplifying import by_hypothesis
from hsa_conformance.engine.session.model import Model
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.amd.pools.state import Allocation, Grant, Pool, may_reach
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.core.memory.state import Region, Registration
from hsa_conformance.topics.core.signals.state import Signal
from hsa_spec import Registry

BASE, ROOM = 0x10000, 1 << 24
BLOCK = BASE + ROOM // 2
CPU, GPU, POOL = 0x100, 0x200, 0x300


@dataclass
class FakeProcess:
    """A process whose functions are Python, over a little memory."""

    functions: Mapping[str, Function]
    memory: bytearray = field(default_factory=lambda: bytearray(ROOM))
    page_size: int = 4096
    allocated: int = 0
    scratch: tuple[int, int] = (BASE, ROOM // 2)

    def call(self, call: Call) -> Outcome:
        for address, content in call.writes:
            self.write(address, content)
        args = [a for a in call.args if isinstance(a, int)]
        result = self.functions[call.function](self, args)
        return Outcome(result, tuple(self.read(a, n) for a, n in call.reads))

    def read(self, address: int, size: int) -> bytes | None:
        at = address - BASE
        return bytes(self.memory[at : at + size]) if 0 <= at <= ROOM - size else None

    def write(self, address: int, content: bytes) -> bool:
        at = address - BASE
        self.memory[at : at + len(content)] = content
        return True


Function = Callable[[FakeProcess, Sequence[int]], int]


def allocate(process: FakeProcess, args: Sequence[int]) -> int:
    process.write(args[-1], (BLOCK + process.allocated).to_bytes(8, "little"))
    process.allocated += args[1]
    return 0


def fill(process: FakeProcess, args: Sequence[int]) -> int:
    process.write(args[0], args[1].to_bytes(4, "little") * args[2])
    return 0


def fill_with_bytes(process: FakeProcess, args: Sequence[int]) -> int:
    process.write(args[0], bytes([args[1] & 0xFF]) * (4 * args[2]))
    return 0


def fill_one_more(process: FakeProcess, args: Sequence[int]) -> int:
    return fill(process, [args[0], args[1], args[2] + 1])


def copy(process: FakeProcess, args: Sequence[int]) -> int:
    process.write(args[0], process.read(args[1], args[2]) or b"")
    return 0


def copy_one_more(process: FakeProcess, args: Sequence[int]) -> int:
    return copy(process, [args[0], args[1], args[2] + 1])


def copy_nothing(_: FakeProcess, __: Sequence[int]) -> int:
    return 0


def move(process: FakeProcess, args: Sequence[int]) -> int:
    copy(process, args)
    process.write(args[1], bytes(args[2]))
    return 0


def machine(model: Model) -> None:
    """Give the model a CPU and a GPU with a pool of the host, and a region without blocks."""
    model.references = 1
    for handle, device in ((CPU, "cpu"), (GPU, "gpu")):
        model.add("agent", handle, thing=Agent(handle, device))
    pool = Pool(POOL, CPU, "cpu", 0, 2, True, 4096, 4096, 1 << 20, 1 << 20)
    model.add("pool", POOL, thing=pool)
    for handle, access in ((CPU, "default"), (GPU, "on_request")):
        model.add("pool_access", handle, POOL, thing=access)
    region = Region(0x400, (Agent(CPU, "cpu"),), 0, 2, False, 0, 0, 0)
    model.add("region", region.handle, thing=region)


def blamed(clause: str, registry: Registry, **functions: Function) -> str | None:
    """Return the clause that a property of a clause blames, None if it is content."""
    found: list[str] = []

    @hypothesis.settings(max_examples=40, database=None, deadline=None)
    @hypothesis.given(st.data())
    def examples(data: Any) -> None:
        exported = {"hsa_amd_memory_pool_allocate": allocate, **functions}
        process = FakeProcess(exported)
        session = Session(
            cast("Process", process),
            registry,
            TOPICS.rules,
            TOPICS.discover,
            exports=frozenset(exported),
        )
        machine(session.model)
        scene = Scene(session, by_hypothesis(data.draw), registry.clauses[clause])
        # The functions are called one after the other: what threads show is no matter here.
        for each in (e for e in TOPICS.properties[clause] if not e.chance):
            try:
                each.body(scene)
            except Violation as violation:
                found.append(violation.clause)

    examples()
    return found[0] if found else None


COPIES = [f"hsa_memory_copy/{slug}" for slug in ("copied", "source-kept", "size-zero")]
FILLS = [f"hsa_amd_memory_fill/{slug}" for slug in ("filled", "no-further")]


@pytest.mark.parametrize("clause", [*COPIES, *FILLS])
def test_an_honest_library_is_not_blamed(clause: str, registry: Registry) -> None:
    """What copies and fills as it should breaks nothing."""
    assert blamed(clause, registry, hsa_memory_copy=copy, hsa_amd_memory_fill=fill) is None


@pytest.mark.parametrize(
    ("clause", "fault"),
    [
        (COPIES[0], copy_nothing),
        (COPIES[0], copy_one_more),
        (COPIES[1], move),
        (COPIES[2], copy_one_more),
    ],
)
def test_a_wrong_copy_is_blamed(clause: str, fault: Function, registry: Registry) -> None:
    """A copy that does too little, too much, or takes from its source is seen."""
    assert clause == blamed(clause, registry, hsa_memory_copy=fault)


@pytest.mark.parametrize(
    ("clause", "fault"), [(FILLS[0], fill_with_bytes), (FILLS[1], fill_one_more)]
)
def test_a_wrong_fill_is_blamed(clause: str, fault: Function, registry: Registry) -> None:
    """Filling with bytes instead of words, or a word too many, is seen."""
    assert clause == blamed(clause, registry, hsa_amd_memory_fill=fault)


@pytest.fixture
def model() -> Model:
    process = FakeProcess({})
    made = Model(process.page_size, process.read, facts=TOPICS.rules.facts)
    machine(made)
    made.add("allocation", BLOCK, thing=Allocation(BLOCK, 4096, POOL))
    return made


def test_who_reaches_a_block(model: Model) -> None:
    """An agent reaches a block by itself or once it was let in, as long as the block lives."""
    block = model.find("allocation", BLOCK)
    assert model.holds("reaches", CPU, BLOCK, 4096)
    assert not model.holds("reaches", GPU, BLOCK, 4096)
    model.add("grant", BLOCK, thing=Grant(block, frozenset({GPU})))
    assert model.holds("reaches", GPU, BLOCK + 8, 8)
    model.add("allocation", BLOCK, thing=Allocation(BLOCK, 4096, POOL))
    assert not model.holds("reaches", GPU, BLOCK + 8, 8)


def test_what_nobody_said_of_a_gpu_proves_nothing(model: Model) -> None:
    """Whether a GPU reaches the program's memory, or what is behind a block, is not known."""
    for address, size in ((BASE, 8), (BLOCK, 4097)):
        with pytest.raises(ProvesNothing):
            model.holds("reaches", GPU, address, size)


def test_a_busy_engine_may_exist(model: Model) -> None:
    """An engine is there if it was named, not there beyond the last one, and else unknown."""
    model.add("engine_count", GPU, thing=4)
    model.add("engines", GPU, CPU, thing=1)
    assert model.holds("engine_exists", GPU, CPU, 1)
    assert not model.holds("engine_exists", GPU, CPU, 0x8000)
    with pytest.raises(ProvesNothing):
        model.holds("engine_exists", GPU, CPU, 2)


def test_registering_a_range_again_does_not_overlap(model: Model) -> None:
    """A registered range overlaps others that share a byte with it, and not itself."""
    model.add("registration", BASE, 64, thing=Registration(BASE, 64))
    assert not model.holds("overlaps_registration", BASE, 64)
    assert model.holds("overlaps_registration", BASE, 63)
    assert model.holds("overlaps_registration", BASE + 63, 1)
    assert not model.holds("overlaps_registration", BASE + 64, 1)


def test_a_gpu_without_access_to_a_block_does_not_copy_it() -> None:
    """What decides is the access of this agent, at each byte of the block, and a grant of now."""
    model = Model(4096, lambda _address, _size: None)
    machine(model)
    block = Allocation(BLOCK, 4096, POOL, 4096)
    model.add("allocation", BLOCK, thing=block)
    places = (BLOCK, BLOCK + 4095, BLOCK + 4096)
    assert [False, False, True] == [may_reach(model, GPU, place) for place in places]
    assert may_reach(model, CPU, BLOCK)
    model.add("grant", BLOCK, thing=Grant(block, frozenset({GPU})))
    assert may_reach(model, GPU, BLOCK)
    model.add("grant", BLOCK, thing=Grant(block, frozenset({CPU})))
    assert not may_reach(model, GPU, BLOCK)


COPY = "hsa_amd_memory_async_copy"
RATE = 10**6  # of the timestamp, in ticks a second


def waits(model: Model, function: str, status: int, **arguments: int) -> list[Mapping[str, int]]:
    """Let a call change a model, and return the waits for copies that would come next."""
    answer = type("Told", (), {"ok": True, "status": status, "args": arguments})()
    TOPICS.rules.transitions[function](model, cast("Answer", answer))
    [rule] = [rule for rule in TOPICS.rules.clean_up if rule.kind == "copy"]
    return list(rule.calls(model))


def test_a_signal_of_copies_is_kept_until_all_of_them_are_over(model: Model) -> None:
    """One more is waited for with each copy that is begun, and none once the signal is so far."""
    model.add("signal", 7, thing=Signal(7, 5))
    model.add("frequency", thing=RATE)

    def tell(function: str, status: int, **arguments: int) -> list[int]:
        return [call["compare_value"] for call in waits(model, function, status, **arguments)]

    begun = {"completion_signal": 7, "num_dep_signals": 0, "dep_signals": 0}
    wait = "hsa_signal_wait_scacquire"
    assert [5] == tell(COPY, 0, **begun)
    assert [4] == tell(COPY, 0, **begun)
    assert [3] == tell(COPY, 0, **begun)
    assert [3] == tell(wait, 3, signal=7, timeout_hint=1)
    assert [] == tell(wait, 2, signal=7, timeout_hint=1)


@pytest.mark.parametrize(
    ("initial", "rate", "ticks"), [(0, RATE, [5 * RATE]), (1, RATE, []), (0, 0, [])]
)
def test_copies_are_waited_for_that_are_known_to_begin(
    initial: int, rate: int, ticks: list[int]
) -> None:
    """Seconds are turned into ticks; a copy after a signal that is not 0 may never begin."""
    model = Model(4096, lambda _address, size: (9).to_bytes(size, "little"))
    model.add("signal", 7, thing=Signal(7, 5))
    model.add("signal", 9, thing=Signal(9, initial))
    if rate:
        model.add("frequency", thing=rate)
    found = waits(model, COPY, 0, completion_signal=7, num_dep_signals=1, dep_signals=BLOCK)
    assert ticks == [call["timeout_hint"] for call in found]


def test_a_copy_that_is_waited_for_in_vain_keeps_its_memory() -> None:
    """A wait may end early: while the copy may go on, nothing of its process is given back."""
    model = Model(4096, lambda _address, _size: None)
    model.add("signal", 7, thing=Signal(7, 5))
    model.add("frequency", thing=RATE)
    [rule] = [rule for rule in TOPICS.rules.clean_up if rule.kind == "copy"]

    def is_stuck(function: str, status: int, **arguments: int) -> bool:
        waits(model, function, status, **arguments)
        return rule.is_stuck(model)

    wait = "hsa_signal_wait_scacquire"
    assert not is_stuck(COPY, 0, completion_signal=7, num_dep_signals=0, dep_signals=0)
    assert is_stuck(wait, 5, signal=7, timeout_hint=5 * RATE)
    assert not is_stuck(wait, 4, signal=7, timeout_hint=1)
