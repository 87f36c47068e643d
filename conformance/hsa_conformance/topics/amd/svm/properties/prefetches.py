"""Ranges that are moved to an agent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import OutOfReach
from hsa_conformance.topics.amd.svm.properties.ranges import (
    page_sizes,
    pages,
    prefetch_location,
    some_pages,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import (
    completion,
    dependencies,
    require_counted_down,
    require_waits,
    wait,
    waiting,
)
from hsa_conformance.topics.shared.memory import Marks
from hsa_conformance.topics.shared.signals import store

proves = Proofs()

FETCH: Final = "hsa_amd_svm_prefetch_async"


def _start(
    scene: Scene, page: int, agent: int, done: int, after: tuple[int, ...] = (), size: int = 0
) -> None:
    scene.set_up(
        FETCH,
        ptr=page,
        size=size or scene.session.model.page_size,
        agent=agent,
        **waiting(after),
        completion_signal=done,
    )


def fetch(scene: Scene, page: int, agent: int, size: int = 0) -> None:
    """Move a range, or a page, and wait until it is there; the property is not about the signal."""
    done = signal(scene, 1)
    _start(scene, page, agent, done, size=size)
    left = wait(scene, done)
    if left != 0:
        raise Blocked(f"{FETCH}/completion", f"a completion signal of {left}")


@proves("hsa_amd_svm_prefetch_async/after-dependencies")
def a_prefetch_waits_for_its_signals(scene: Scene) -> None:
    """A prefetch begins when all dependency signals are 0, and not before."""
    page = pages(scene, 1)
    after = dependencies(scene)
    done = signal(scene, 1)
    _start(scene, page, some_gpu(scene).handle, done, after)
    require_waits(scene, done, after, "prefetch")


@proves("hsa_amd_svm_prefetch_async/completion")
def the_completion_signal_of_a_prefetch_goes_down_by_one(scene: Scene) -> None:
    """A prefetch takes its completion signal down by one, whatever its value."""
    page = pages(scene, 1)
    initial = scene.draw(drawing.integers(-4, 4))
    done = completion(scene, initial)
    _start(scene, page, scene.choose(known_agents(scene)).handle, done)
    require_counted_down(scene, done, initial)


@proves("hsa_amd_svm_prefetch_async/location-told")
def the_place_of_the_latest_prefetch_is_told(scene: Scene) -> None:
    """The prefetch location of a range is the agent of its latest prefetch."""
    first, size, each = some_pages(scene)
    agent = scene.choose(known_agents(scene)).handle
    for before in known_agents(scene)[: scene.draw(drawing.integers(0, 2))]:
        fetch(scene, first, before.handle, size)
    fetch(scene, first, agent, size)
    for page in each:
        found = prefetch_location(scene, page, scene.session.model.page_size)
        scene.require(found == agent, f"the range was fetched to {agent}", f"{found:#x}")


@proves("hsa_amd_svm_prefetch_async/contents-kept")
def moving_a_range_keeps_its_bytes(scene: Scene) -> None:
    """After a prefetch the program reads what it wrote to the range before."""
    size = scene.draw(page_sizes(scene))
    first = pages(scene, size // scene.session.model.page_size)
    marks = Marks(scene, size)
    marks.put(first)
    fetch(scene, first, scene.choose(known_agents(scene)).handle, size)
    marks.require(first, "the contents have changed on the way")


@proves("hsa_amd_svm_prefetch_async/location-pending")
def the_place_is_told_while_a_prefetch_waits(scene: Scene) -> None:
    """The prefetch location of a range is the agent of its latest prefetch, which still waits."""
    first, size, each = some_pages(scene)
    for before in known_agents(scene)[: scene.draw(drawing.integers(0, 2))]:
        fetch(scene, first, before.handle, size)
    agent = scene.choose(known_agents(scene)).handle
    with _pending(scene, first, agent, size):
        for page in each:
            found = prefetch_location(scene, page, scene.session.model.page_size)
            scene.require(found == agent, f"the range goes to {agent}", f"{found:#x}")


@proves("hsa_amd_svm_prefetch_async/location-elsewhere", examples=2)
def the_place_of_other_ranges_stays_while_a_prefetch_waits(scene: Scene) -> None:
    """While a prefetch waits, the prefetch locations of the pages before and behind it stay."""
    size = scene.session.model.page_size
    agents = [agent.handle for agent in known_agents(scene)]
    first, places = pages(scene, 5), [0, *(scene.one_of(agents) for _ in range(4))]
    for place, agent in enumerate(places):
        if agent:
            fetch(scene, first + place * size, agent)
    before = [prefetch_location(scene, first + place * size, size) for place in range(5)]
    waiting_page = scene.one_of(range(5))
    with _pending(scene, first + waiting_page * size, scene.choose(known_agents(scene)).handle):
        for place in range(5):
            if place != waiting_page:
                found = prefetch_location(scene, first + place * size, size)
                scene.require(
                    equal(found, before[place]),
                    f"the place of a page {place - waiting_page} pages away was {before[place]:#x}",
                    f"{found:#x}",
                )


@proves("hsa_amd_svm_attributes_get/unset-prefetch")
def a_range_that_went_to_several_agents_is_at_none(scene: Scene) -> None:
    """The prefetch location of two pages that were fetched to two agents is 0."""
    size = scene.session.model.page_size
    first = pages(scene, 2)
    agents = scene.shuffled(known_agents(scene))[:2]
    if len(agents) < 2:
        raise OutOfReach("the machine has one agent")
    for place, agent in enumerate(agents):
        fetch(scene, first + place * size, agent.handle)
    found = prefetch_location(scene, first, 2 * size)
    scene.require(found == 0, "the pages were fetched to two agents", f"{found:#x}")


@contextmanager
def _pending(scene: Scene, page: int, agent: int, size: int = 0) -> Iterator[None]:
    """Let a prefetch wait meanwhile, and then be done."""
    gate, done = signal(scene, 1), signal(scene, 1)
    _start(scene, page, agent, done, (gate,), size)
    try:
        yield
    finally:
        store(scene, gate, 0)
        wait(scene, done)
