"""Random sequences of images and samplers of all agents, created and destroyed in any order.

The data of an image is the caller's: it holds what was written there whatever lives. What was
written to elements stays until something else is written to them, by whichever call.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.sequences import Rule, play
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.images.samplers.sequences import elements, player
from hsa_conformance.topics.images.samplers.sequences.player import Player

_LIVES: Final[Sequence[Rule[Player]]] = (
    *2 * (player.create, player.destroy, player.create_sampler, player.destroy_sampler),
    *(player.mark, player.look_at_data),
)
_ELEMENTS: Final[Sequence[Rule[Player]]] = (
    *2 * (elements.create, elements.copy, elements.import_),
    *(player.destroy, elements.clear, elements.look),
)


def machine_checks(judge: Judge, _: frozenset[str], steps: int) -> list[Check]:
    """Return the checks that play random sequences; see `hsa_conformance.engine.topic`."""

    def body(
        session: Session, draw: Draw, counts: Counts, *, rules: Sequence[Rule[Player]]
    ) -> None:
        alone = Player(session, draw, judge)
        opening = [(rules[0], alone), (rules[0], alone), (rules[1], alone)]
        play(draw, [alone], rules, steps, opening)
        if rules is _ELEMENTS:
            elements.inspect(alone)
        player.give_back(alone)
        counts.satisfied += 1

    return [
        Check(
            "hsa_ext_image_destroy/success",
            "sequences of images and samplers",
            partial(body, rules=_LIVES),
            stepwise=True,
            examples=0.5,
        ),
        Check(
            "hsa_ext_image_copy/success",
            "sequences of elements",
            partial(body, rules=_ELEMENTS),
            stepwise=True,
            examples=0.3,
        ),
    ]
