"""A runtime that has ended and starts again, and what is known of it from then on."""

from __future__ import annotations

from hsa_conformance.engine.checks.properties import Scene
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.statuses import SUCCESS
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


def discover(fixtures: Fixtures) -> None:
    """Ask what a process is asked first, in a runtime that was started in the example itself."""
    session = fixtures.session
    with session.trace.paused():
        session.discover(session)
