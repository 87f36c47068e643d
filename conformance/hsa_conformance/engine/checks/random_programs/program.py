"""A random program of a topic: life-time operations in any order, and looks at all there is.

Each call is made with the generators of its function, or with what earlier calls have made, and is
judged as any call is. A topic adds what it has to look at, and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from typing import Final

from hsa_conformance.engine.checks.random_programs.player import (
    Life,
    Player,
    Rule,
    attempt,
    looking,
)
from hsa_conformance.engine.checks.random_programs.steps import MORE, OPENING
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import places
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.conversation import alone
from hsa_conformance.engine.session.session import Session

#: How many times as often as a look a function is called.
_RATHER: Final = 2

#: Bytes that sequences write.
TAGS: Final = range(1, 256)


@dataclass(frozen=True)
class Program:
    """What a random program of a topic can do.

    Args:
        life: what it is made of.
        clause: id of the clause that its result is shown with.
        cast: the life, and the lives of the topics that take part.
        exports: the functions that the library offers.

    """

    life: Life
    clause: str
    cast: Sequence[Life]
    exports: frozenset[str]

    def players(
        self,
        sessions: Sequence[Session],
        draw: Draw,
        judge: Judge,
        repertoire: Repertoire,
        *,
        wrong: bool,
    ) -> list[Player]:
        """Return who plays it, one in each process; see `Player`.

        Raises:
            CannotMake: it cannot do without something that the machine lacks.

        """
        tags = cycle(TAGS)
        players = [
            Player(session, draw, judge, repertoire, self.cast, tags, wrong=wrong)
            for session in sessions
        ]
        for player, other in zip(players, reversed(players), strict=True):
            player.session.makes_extra_objects = alone  # what was done before crowds it enough
            player.other = other
            if self.life.notes is not None:
                player.notes(self.life.notes)
        return players

    def play(self, draw: Draw, players: Sequence[Player], steps: int) -> int:
        """Let rules act, one after the other; return how many found something to work on.

        Args:
            draw: draws the choices of the example; see `generation.drawing`.
            players: who a rule may be asked to act for.
            steps: the most rules that are tried after those that open it.

        """
        opening = players[0].one_of([self._offered(acts) for acts in self.life.openings])
        return _play(draw, players, opening, self._rules, steps)

    @cached_property
    def functions(self) -> frozenset[str]:
        """Return the functions that are called with what conditions alone make."""
        return frozenset(f for one in self.cast for f in one.functions) & self.exports

    def call(self, player: Player, function: str) -> None:
        """Call a function as a step of the program, if it has something to work on."""
        attempt(_calling(function), player)
        player.settle()

    def close(self, players: Sequence[Player]) -> None:
        """Look at all there is, destroy it in any order, and look again."""
        for act in self.life.closing:
            for player in players:
                attempt(act, player)
        for player in players:
            _end(player, self._looks)

    @cached_property
    def _looks(self) -> Sequence[Rule]:
        return [looking(look) for one in self.cast for look in one.looks]

    @cached_property
    def _rules(self) -> Sequence[Rule]:
        return [
            *(self._offered(self.life.functions) * _RATHER),
            *(rule for other in self.cast[1:] for rule in self._offered(other.functions)),
            *(act for one in self.cast for act in one.acts for _ in range(_RATHER)),
            *self._looks,
        ]

    def _offered(self, acts: Sequence[str | Rule]) -> list[Rule]:
        return [
            _calling(act) if isinstance(act, str) else act
            for act in acts
            if not isinstance(act, str) or act in self.exports
        ]


def _play(
    draw: Draw,
    players: Sequence[Player],
    opening: Sequence[Rule],
    rules: Sequence[Rule],
    steps: int,
) -> int:
    """Let rules act, one after the other; return how many found something to work on.

    Args:
        draw: draws the choices of the example; see `generation.drawing`.
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
    """Look at all there is, destroy it in any order, and look again."""
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
