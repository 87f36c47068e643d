"""Random sequences over the whole virtual memory API, in one process or in two that share memory.

Each call is judged on its own, and what can be seen is compared with the model all the time: the
bytes through the host's mappings, permissions, pools and types.

These are no `Life`. Any argument of a call can be the wrong one, and what it is drawn from depends
on the others: on handles and addresses that went, neighbours in a row, and what the host may do.
The conditions of a function do not tell that, from which the calls of a `Life` are made.
"""

from __future__ import annotations

from functools import partial
from itertools import cycle

from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.random_programs.sequences import Rule, play
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.vmem.sequences.calls import (
    ALIGNED,
    ask,
    close,
    create,
    export,
    free,
    get_access,
    import_,
    map_,
    open_up,
    release,
    reserve,
    reserve_much,
    retain,
    send,
    set_access,
    unmap,
)
from hsa_conformance.topics.amd.vmem.sequences.compare import give_back, inspect, look, write
from hsa_conformance.topics.amd.vmem.sequences.player import Player
from hsa_conformance.topics.amd.vmem.sequences.rows import unmap_row

TAGS = range(1, 256)
OPENING: tuple[Rule[Player], ...] = (reserve, create, map_, open_up, write)
#: What makes several mappings side by side.
ROW: tuple[Rule[Player], ...] = (create, reserve_much, *3 * (map_, open_up, write), unmap_row)
_OFTEN = (reserve, create, map_, open_up, write, import_)
RULES: tuple[Rule[Player], ...] = (
    *_OFTEN,
    *_OFTEN,
    *(set_access, set_access, free, release, retain, ask, unmap, unmap_row, get_access),
    *(export, export, close, look, inspect),
)


def _end(players: list[Player], counts: Counts) -> None:
    for player in players:
        inspect(player)
    for player in players:
        give_back(player)
    counts.satisfied += 1


def machine_checks(judge: Judge, exports: frozenset[str], steps: int = 60) -> list[Check]:
    """Return the checks that play random sequences.

    Args:
        judge: knows what the registry says of a call.
        exports: the functions that the implementation offers.
        steps: the most calls that are tried in one sequence; many find nothing to work on.

    """
    aligned = ALIGNED in exports

    def single(session: Session, draw: Draw, counts: Counts, *, wrong: bool) -> None:
        player = Player(session, draw, judge, cycle(TAGS), wrong=wrong, aligned=aligned)
        opening = [(rule, player) for rule in player.one_of([OPENING, ROW, ()])]
        play(draw, [player], RULES, steps, opening)
        _end([player], counts)

    def together(session: Session, draw: Draw, counts: Counts) -> None:
        peer = session.initialised_peer()
        tags = cycle(TAGS)
        first, second = (
            Player(s, draw, judge, tags, wrong=False, aligned=aligned) for s in (session, peer)
        )
        sending: Rule[Player] = partial(send, first, second)
        there: tuple[Rule[Player], ...] = (reserve, import_, map_, open_up)
        opening = [(rule, first) for rule in (*OPENING, export, sending)]
        opening += [(rule, second) for rule in there]
        play(draw, [first, second], (sending, *RULES), steps, opening)
        _end([first, second], counts)

    clause = "hsa_amd_vmem_map/success"
    shared = "hsa_amd_vmem_import_shareable_handle/other-process"
    return [
        Check(
            clause,
            "sequences of right calls",
            partial(single, wrong=False),
            examples=2.0,
            stepwise=True,
        ),
        Check(
            clause,
            "sequences of right and wrong calls",
            partial(single, wrong=True),
            examples=2.0,
            stepwise=True,
        ),
        Check(shared, "sequences in two processes", together, examples=2.0, stepwise=True),
    ]
