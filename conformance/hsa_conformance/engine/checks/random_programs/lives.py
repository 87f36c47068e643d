"""The checks that play the random programs of topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.player import Life
from hsa_conformance.engine.checks.random_programs.program import Program
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session


class Lives:
    """Makes the programs of topics, and the checks that play them.

    Args:
        lives: what the programs of each topic are made of, by the topic.
        repertoire: makes conditions hold.
        judge: knows what the registry says of a call.
        exports: the functions that the library offers.

    """

    def __init__(
        self,
        lives: Mapping[str, Sequence[Life]],
        repertoire: Repertoire,
        judge: Judge,
        exports: frozenset[str],
    ) -> None:
        self.repertoire = repertoire
        self.judge = judge
        #: The programs by topic.
        self.programs: Mapping[str, Sequence[Program]] = {
            topic: [
                Program(
                    life,
                    life.clause,
                    [life, *(o for name in life.beside for o in lives[name])],
                    exports,
                )
                for life in of_topic
                if life.clause
            ]
            for topic, of_topic in lives.items()
        }

    def checks(self, steps: int) -> list[Check]:
        """Return the checks of all topics.

        Args:
            steps: how many steps a program has at most after its opening, see `Program.play`.

        """
        return [
            self._check(program, steps)
            for of_topic in self.programs.values()
            for program in of_topic
        ]

    def _check(self, program: Program, steps: int) -> Check:
        life = program.life

        def body(session: Session, draw: Draw, counts: Counts) -> None:
            wrong = draw(drawing.booleans())
            sessions = (session, *([session.initialised_peer()] if life.two else []))
            players = program.players(sessions, draw, self.judge, self.repertoire, wrong=wrong)
            if not program.play(draw, players, steps):
                raise CannotMake("no step of the sequence had anything to work on")
            program.close(players)
            counts.satisfied += 1

        return Check(
            program.clause,
            life.name,
            body,
            fresh=life.fresh,
            stepwise=True,
            examples=life.examples,
        )
