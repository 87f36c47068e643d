"""Checks of effects: what an example has to look at before it counts."""

from __future__ import annotations

import pytest

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene, property_checks
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_reports import Verdict
from hsa_spec import Registry

CLAUSE = "hsa_amd_vmem_address_reserve/hint-honoured"


@pytest.mark.parametrize(
    ("things", "verdict"),
    [([], Verdict.VACUOUS), ([True], Verdict.PASS), ([True, False], Verdict.WARN)],
    ids=["nothing", "one that is right", "the second is wrong"],
)
def test_an_effect_needs_an_object(
    pool: SessionPool, registry: Registry, things: list[bool], verdict: Verdict
) -> None:
    """A loop over nothing proves nothing; one over several proves it of each."""
    proves = Proofs()

    @proves(CLAUSE)
    def each_is_right(scene: Scene) -> None:
        for thing in things:
            scene.require(thing, "it is wrong", thing)

    [check] = property_checks(registry.clauses[CLAUSE], proves)
    judge = Judge(registry, lambda _: True)
    assert verdict is Campaign(pool, judge, "quick", 0).run(check).verdict


def test_a_look_in_the_second_process_counts(pool: SessionPool, registry: Registry) -> None:
    """What two processes do together may show in either."""
    proves = Proofs()

    @proves(CLAUSE)
    def the_other_is_right(scene: Scene) -> None:
        other = Scene(scene.session.peer(), scene.draw, scene.clause)
        other.require(True, "it is wrong", "")

    [check] = property_checks(registry.clauses[CLAUSE], proves)
    judge = Judge(registry, lambda _: True)
    assert Verdict.PASS is Campaign(pool, judge, "quick", 0).run(check).verdict
