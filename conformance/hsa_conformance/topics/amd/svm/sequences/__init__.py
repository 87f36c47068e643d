"""Random sequences on ranges that overlap: attributes, access, and prefetches that may wait.

Every page is known by itself: setting a part changes only that part, and a range of several pages
has what all of them have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.sequences import Rule, play
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.svm.properties.ranges import SET
from hsa_conformance.topics.amd.svm.sequences.looks import (
    look_at_access,
    look_at_contents,
    look_at_locations,
    look_at_values,
    readable,
    require_access,
    require_page,
    require_value,
)
from hsa_conformance.topics.amd.svm.sequences.player import (
    LOCATION,
    Player,
    fetch,
    let_go,
    let_go_of,
    set_access,
    set_values,
    write,
)


def _end(p: Player) -> None:
    """Let all prefetches come to their end, and look at each page, and all together."""
    while p.waiting:
        let_go_of(p, p.one_of(p.waiting))
    for chosen in [*([page] for page in p.pages), p.pages]:
        for name in [*readable(p), LOCATION]:
            require_value(p, chosen, name)
        for gpu in p.gpus:
            require_access(p, chosen, gpu)
    for page in [*p.pages, *p.around]:
        require_page(p, page)


_RULES: Final[Sequence[Rule[Player]]] = (
    *3 * (set_values, fetch),
    *2 * (set_access, look_at_values, look_at_locations),
    *(let_go, write, look_at_access, look_at_contents),
)


def machine_checks(judge: Judge, _: frozenset[str], steps: int) -> list[Check]:
    """Return the check that plays random sequences; see `hsa_conformance.engine.topic`."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        player = Player(session, draw, judge, wrong=draw(drawing.booleans()))
        play(draw, [player], _RULES, steps, [(set_values, player), (fetch, player)])
        _end(player)
        counts.satisfied += 1

    return [
        Check(
            f"{SET}/success",
            "sequences on several ranges",
            body,
            fresh=True,
            stepwise=True,
            examples=0.5,
        )
    ]
