"""Ranges that are moved to an agent."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.outcomes import Blocked
from hsa_conformance.topics.amd.svm.properties.ranges import (
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
from hsa_conformance.topics.shared.memory import fill, require_contents

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


def _fetch(scene: Scene, page: int, agent: int, size: int = 0) -> None:
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
    initial = scene.draw(st.integers(-4, 4))
    done = completion(scene, initial)
    _start(scene, page, scene.choose(known_agents(scene)).handle, done)
    require_counted_down(scene, done, initial)


@proves("hsa_amd_svm_prefetch_async/location-told")
def the_place_of_the_latest_prefetch_is_told(scene: Scene) -> None:
    """The prefetch location of a range is the agent of its latest prefetch."""
    first, size, each = some_pages(scene)
    agent = some_gpu(scene).handle
    for before in known_agents(scene)[: scene.draw(st.integers(0, 2))]:
        _fetch(scene, first, before.handle, size)
    _fetch(scene, first, agent, size)
    for page in each:
        found = prefetch_location(scene, page, scene.session.model.page_size)
        scene.require(found == agent, f"the range was fetched to {agent}", f"{found:#x}")


@proves("hsa_amd_svm_prefetch_async/contents-kept")
def moving_a_range_keeps_its_bytes(scene: Scene) -> None:
    """After a prefetch the program reads what it wrote to the range before."""
    page = pages(scene, 1)
    content: bytes = scene.draw(st.binary(min_size=1, max_size=64))
    fill(scene, page, content)
    _fetch(scene, page, scene.choose(known_agents(scene)).handle)
    require_contents(scene, page, content, "the contents have changed on the way")
