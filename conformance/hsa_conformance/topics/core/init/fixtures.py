"""A runtime that has ended and starts again, and what is known of it from then on."""

from __future__ import annotations

from hsa_adapters.ends import HANG, ORDERLY, End
from hsa_conformance.engine.calls.outcomes import A_HANG
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_reports.demands import Answers


def end(fixtures: Fixtures) -> None:
    """Shut the runtime down as often as it was initialised."""
    for _ in range(fixtures.session.model.references):
        fixtures.session.set_up("hsa_shut_down")


def require_start(scene: Scene) -> None:
    """Demand that the runtime starts again."""
    answer = scene.call("hsa_init")
    scene.require(
        answer.ok,
        "hsa_init fails after the last hsa_shut_down",
        answer.name,
        Answers((SUCCESS,)),
    )


def pass_through(scene: Scene) -> int:
    """Initialise the runtime and shut it down a few times, or never, and return how often."""
    times = scene.each("before", {"no start": 0, "a start": 1, "two starts": 2})
    for _ in range(times):
        scene.set_up("hsa_init")
        end(scene)
    return times


def require_orderly(scene: Scene, ended: End, what: str) -> None:
    """Demand that a process has ended by itself, with the status that it gave."""
    how = A_HANG if ended.how == HANG else ended.how
    scene.require(ended.how == ORDERLY, f"{what} does not end as it was told to", how)


def discover(fixtures: Fixtures) -> None:
    """Ask what a process is asked first, in a runtime that was started in the example itself."""
    session = fixtures.session
    with session.trace.paused():
        session.discover(session)
