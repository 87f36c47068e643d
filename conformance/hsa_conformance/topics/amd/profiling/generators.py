"""Signals of copies and dispatches whose times were recorded."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.amd.pools.device_copies import copied, device_room, host_room
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.kernels import Kernel, agents, loaded, run


def profile_copies(fixtures: Fixtures, *, enable: bool = True) -> None:
    """Have the times of copies recorded, or stop it."""
    fixtures.session.set_up("hsa_amd_profiling_async_copy_enable", enable=int(enable))


def profiled_copy(fixtures: Fixtures, done: int | None = None) -> int:
    """Let a GPU copy while times are recorded, and return the signal.

    Args:
        fixtures: where to copy.
        done: the signal; None for a new one.

    """
    source, target = host_room(fixtures), device_room(fixtures, fixtures.session.model.page_size)
    profile_copies(fixtures)
    finished = copied(fixtures, target, source, fixtures.session.model.page_size, done)
    model = fixtures.session.model
    model.add("profiled_copy", finished, thing=model.find("signal", finished))
    return finished


def profile(fixtures: Fixtures, queue: int, *, enable: bool = True) -> None:
    """Have the times of a queue's dispatches recorded, or stop it."""
    fixtures.session.set_up(
        "hsa_amd_profiling_set_profiler_enabled", queue=queue, enable=int(enable)
    )


def profiled_queue(fixtures: Fixtures, agent: int | None = None) -> tuple[int, Kernel]:
    """Return a queue the times of whose dispatches are recorded, and a kernel that does nothing.

    Args:
        fixtures: where choices come from.
        agent: whose queue it is; None for any that the suite has a kernel for.

    """
    kernel = loaded(fixtures, "nothing", agent)
    queue = queues.queue(fixtures, agent=kernel.agent).handle
    profile(fixtures, queue)
    return queue, kernel


def profiled_dispatch(fixtures: Fixtures, queue: int, kernel: Kernel) -> int:
    """Let a kernel run in a queue the times of whose dispatches are recorded; return the signal."""
    done = run(fixtures, queue, kernel)
    model = fixtures.session.model
    model.add("profiled_dispatch", done, thing=model.find("signal", done))
    return done


def _profiled(b: Builder, x: str) -> None:
    if "agent" not in b.function.parameter:
        b.values[x] = profiled_copy(b)
        return
    # What is read for another agent than that of the dispatch's queue is not defined.
    given = b.number("agent")
    agent = given if given in agents(b, "nothing") else None
    queue, kernel = profiled_queue(b, agent)
    b.values["agent"], b.values[x] = kernel.agent, profiled_dispatch(b, queue, kernel)


def _not_profiled(b: Builder, x: str) -> None:
    b.values[x] = signal(b)


GENERATORS: Mapping[str, Generators] = {"was_profiled": Generators(_profiled, _not_profiled)}
