"""Random sequences of the life-time operations of a topic, and looks at what there is meanwhile.

Each call is made with the generators of its function, or with what earlier calls have made, and is
judged as any call is. A topic adds what it has to look at, and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Final

from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.player import (
    Life,
    Player,
    Rule,
    attempt,
    looking,
)
from hsa_conformance.engine.checks.random_programs.steps import MORE, OPENING
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, places
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.conversation import alone
from hsa_conformance.engine.session.session import Session

#: How many times as often as a look a function is called.
_RATHER: Final = 2

#: Bytes that sequences write.
TAGS: Final = range(1, 256)


class Lives:
    """Makes the checks that play the sequences of topics.

    Args:
        lives: what the sequences of each topic are made of, by the topic.
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        exports: the functions that the library offers.
        steps: the most calls that are tried in one sequence.

    """

    def __init__(
        self,
        lives: Mapping[str, Sequence[Life]],
        repertoire: Repertoire,
        judge: Judge,
        exports: frozenset[str],
        steps: int,
    ) -> None:
        self.lives = lives
        self.repertoire = repertoire
        self.judge = judge
        self.exports = exports
        self.steps = steps

    def checks(self) -> list[Check]:
        """Return the checks of all topics."""
        every = [life for lives in self.lives.values() for life in lives]
        return [self._check(life, life.clause) for life in every if life.clause]

    def _check(self, life: Life, clause: str) -> Check:
        others = [other for name in life.beside for other in self.lives[name]]
        cast = [life, *others]

        def offered(acts: Sequence[str | Rule]) -> list[Rule]:
            return [
                _calling(act) if isinstance(act, str) else act
                for act in acts
                if not isinstance(act, str) or act in self.exports
            ]

        openings = [offered(opening) for opening in life.openings]
        looks = [looking(look) for one in cast for look in one.looks]
        rules = [
            *(offered(life.functions) * _RATHER),
            *(rule for other in others for rule in offered(other.functions)),
            *(act for one in cast for act in one.acts for _ in range(_RATHER)),
            *looks,
        ]

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            wrong = draw(drawing.booleans())
            tags = cycle(TAGS)
            players = [
                Player(each, draw, self.judge, self.repertoire, cast, tags, wrong=wrong)
                for each in (session, *([session.initialised_peer()] if life.two else []))
            ]
            for player, other in zip(players, reversed(players), strict=True):
                player.session.makes_extra_objects = alone  # what was done before crowds it enough
                player.other = other
                if life.notes is not None:
                    player.notes(life.notes)
            opening = players[0].one_of(openings)
            if not _play(draw, players, opening, rules, self.steps):
                raise CannotMake("no step of the sequence had anything to work on")
            for act in life.closing:
                for player in players:
                    attempt(act, player)
            for player in players:
                _end(player, looks)
            counts.satisfied += 1

        return Check(
            clause,
            life.name,
            body,
            fresh=life.fresh,
            stepwise=True,
            examples=life.examples,
        )


def _play(
    draw: Draw,
    players: Sequence[Player],
    opening: Sequence[Rule],
    rules: Sequence[Rule],
    steps: int,
) -> int:
    """Let rules act, one after the other; return how many found something to work on.

    Args:
        draw: Hypothesis's source of choices.
        players: who a rule may be asked to act for.
        opening: rules that act first, for the first of them.
        rules: what can be done.
        steps: the most rules that are tried after the opening.

    """

    def act(rule: Rule, player: Player) -> bool:
        acted = attempt(rule, player)
        for each in players:
            each.settle()
        return acted

    acted = sum(act(rule, players[0]) for rule in opening if draw(OPENING))
    for _ in range(steps):
        if not draw(MORE):
            break
        acted += act(rules[draw(places(len(rules)))], players[draw(places(len(players)))])
    return acted


def _calling(name: str) -> Rule:
    """Return the rule that calls a function."""

    def call(player: Player) -> None:
        player.make(name)

    return call


def _end(player: Player, looks: Sequence[Rule]) -> None:
    """Look at all there is, give it back in any order, and look again."""
    player.thorough = True
    for look in looks:
        attempt(look, player)
    for rule in player.session.rules.clean_up:
        calls = list(rule.calls(player.model))
        for values in player.shuffled(calls):
            if player.excludes(rule.function, values):
                continue
            player.session.expected = None
            player.call(rule.function, **values)
            player.settle()
    for look in looks:
        attempt(look, player)
