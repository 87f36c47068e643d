"""Random sequences of two processes, each of which shares blocks and signals with the other.

Each call is judged on its own. What one writes the other must see, by whichever address or handle,
until it has let go of that one as often as it got it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Final

from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.sequences import Rule, play
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.ipc.sequences import blocks, signals
from hsa_conformance.topics.amd.ipc.sequences.player import Player

_Rules = Sequence[Rule[Player]]

_TAGS: Final = range(1, 256)
_BLOCKS: Final[_Rules] = (
    *2 * (blocks.allocate, blocks.name, blocks.write),
    *4 * (blocks.attach,),
    *2 * (blocks.detach, blocks.look),
    *(blocks.free, blocks.look_at_access),
)
_SIGNALS: Final[_Rules] = (
    *2 * (signals.create, signals.name, signals.store, signals.look),
    *4 * (signals.attach,),
    *2 * (signals.destroy,),
)


def machine_checks(judge: Judge, _: frozenset[str], steps: int) -> list[Check]:
    """Return the checks that play random sequences; see `hsa_conformance.engine.topic`."""

    def both(session: Session, draw: Draw) -> list[Player]:
        tags = cycle(_TAGS)
        first, second = (
            Player(s, draw, judge, tags) for s in (session, session.initialised_peer())
        )
        first.other, second.other = second, first
        return [first, second]

    def sharing_blocks(session: Session, draw: Draw, counts: Counts) -> None:
        first, second = players = both(session, draw)
        theirs = [(rule, second) for rule in (blocks.allocate, blocks.name) * 2]
        play(draw, players, _BLOCKS, steps, [*theirs, (blocks.attach, first)])
        for player in players:
            blocks.inspect(player)
        for player in players:
            blocks.give_back(player)
        counts.satisfied += 1

    def sharing_signals(session: Session, draw: Draw, counts: Counts) -> None:
        first, second = players = both(session, draw)
        theirs = [(rule, second) for rule in (signals.create, signals.name) * 2]
        play(draw, players, _SIGNALS, steps, [*theirs, (signals.attach, first)])
        for player in players:
            signals.give_back(player)
        counts.satisfied += 1

    name = "sequences in two processes"
    return [
        Check(
            "hsa_amd_ipc_memory_detach/success", name, sharing_blocks, examples=0.4, stepwise=True
        ),
        Check(
            "hsa_amd_ipc_signal_attach/success", name, sharing_signals, examples=0.6, stepwise=True
        ),
    ]
