"""Signals, groups of them, and arrays of signals and of their consumers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.calls.symbols import label_of
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators, put_handles, spoilt
from hsa_conformance.topics.core.agents.fixtures import known_agents, put_agents

#: A signal's value is a signed number of 64 bits.
VALUES = drawing.integers(-(1 << 63), (1 << 63) - 1)


def signal(fixtures: Fixtures, initial: int = 0) -> int:
    """Create a signal that every agent may wait for, and return its handle."""
    answer = fixtures.session.set_up(
        "hsa_signal_create", initial_value=initial, num_consumers=0, consumers=0, signal=Out()
    )
    return answer["signal"]


def any_signal(fixtures: Fixtures, initial: int = 0) -> int:
    """Create a signal that is not waited for, and return its handle.

    A runtime may make it in another way where no processor of the host may wait for it, or that
    alone, so each agent is to be the only consumer once.
    """
    consumers: dict[str, list[int]] = {"every agent": []}
    for agent in known_agents(fixtures):
        label = label_of(agent)
        consumers.setdefault(label.words if label else str(agent.handle), [agent.handle])
    axis = fixtures.axis("consumer")
    chosen = fixtures.each(axis, consumers) if axis else fixtures.one_of(list(consumers.values()))
    answer = fixtures.session.set_up(
        "hsa_signal_create",
        initial_value=initial,
        num_consumers=len(chosen),
        consumers=handle_array(chosen) if chosen else 0,
        signal=Out(),
    )
    return answer["signal"]


def group(fixtures: Fixtures, signals: Sequence[int]) -> int:
    """Create a group of signals that every agent may wait for, and return its handle."""
    agents = [agent.handle for agent in known_agents(fixtures)]
    answer = fixtures.session.set_up(
        "hsa_signal_group_create",
        num_signals=len(signals),
        signals=handle_array(signals),
        num_consumers=len(agents),
        consumers=handle_array(agents),
        signal_group=Out(),
    )
    return answer["signal_group"]


def _signal(b: Builder, x: str) -> None:
    b.values[x] = signal(b, b.draw(VALUES))


def _no_signal(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))
    if x == "completion_signal" and "dep_signals" in b.values:
        # What is begun all the same must not end the process when it is over.
        put_handles(b, "dep_signals", "num_dep_signals", [signal(b, 1)])


def _group(b: Builder, x: str) -> None:
    b.values[x] = group(b, _some(b, f"signals of {x}"))


def _no_group(b: Builder, x: str) -> None:
    agents = [agent.handle for agent in known_agents(b)]
    b.values[x] = b.no_object(x, [*agents, signal(b)])


def _some(b: Builder, name: str) -> list[int]:
    return [signal(b) for _ in range(b.elements(name))]


def _signals(b: Builder, array: str, count: str) -> None:
    put_handles(b, array, count, _some(b, array))


def _signals_one_bad(b: Builder, array: str, count: str) -> None:
    put_handles(b, array, count, spoilt(b, _some(b, array), b.choose([b.readable(), 0])))


def _one_twice(b: Builder, array: str, count: str, handles: list[int]) -> None:
    put_handles(b, array, count, spoilt(b, handles, b.choose(handles)))


def _signals_repeated(b: Builder, array: str, count: str) -> None:
    _one_twice(b, array, count, _some(b, array))


def _agents(b: Builder, array: str, count: str) -> None:
    put_agents(b, array, count, known_agents(b))


def _agents_repeated(b: Builder, array: str, count: str) -> None:
    _one_twice(b, array, count, [agent.handle for agent in known_agents(b)])


def _agents_listed(b: Builder, count: str, array: str) -> None:
    put_agents(b, array, count, known_agents(b), least=0)


def _agents_listed_badly(b: Builder, count: str, array: str) -> None:
    agents = [agent.handle for agent in known_agents(b)]
    put_handles(b, array, count, spoilt(b, agents, b.choose([b.readable(), 0])))


GENERATORS: Mapping[str, Generators] = {
    "is_signal": Generators(_signal, _no_signal),
    "is_signal_group": Generators(_group, _no_group),
    "signals_valid": Generators(_signals, _signals_one_bad),
    "signals_distinct": Generators(_signals, _signals_repeated),
    "agents_listed": Generators(_agents_listed, _agents_listed_badly),
    "agents_distinct": Generators(_agents, _agents_repeated),
}
