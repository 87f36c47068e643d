"""Calls of random sequences are blamed for a change only of what was right just before them."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.checks.random_programs.player import Life, Player, UnexpectedEnd
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry
from tests.library.suite.lives import blocks
from tests.wrong.functions import Mistake, mistaken
from tests.wrong.inside import running

HELD = "hsa_amd_memory_pool_allocate/usable-by-host"
KEPT = "hsa_amd_memory_pool_free/others-unharmed"


@pytest.mark.parametrize(
    ("mistake", "blamed"),
    [
        ("pools: freeing spoils a neighbour", KEPT),
        ("pools: allocating spoils a neighbour", HELD),
        ("regions: freeing spoils a neighbour", "hsa_memory_free/others-unharmed"),
        ("regions: allocating spoils a neighbour", "hsa_memory_allocate/usable"),
    ],
)
def test_who_changed_a_block_is_blamed(registry: Registry, mistake: str, blamed: str) -> None:
    """An honest call is not blamed for a block that another call has changed before."""
    clause, wrong, _ = blocks.MISTAKES[mistake]
    assert blamed == broken(registry, clause, wrong)


def broken(registry: Registry, clause: str, wrong: Mistake) -> str:
    """Return the clause that the sequences of a clause find broken."""
    with running(mistaken(registry, wrong), registry) as runner:
        check = next(c for c in runner.checks.of(registry.clauses[clause]) if c.stepwise)
        return runner.campaign.run(replace(check, examples=20 * check.examples)).clause


class Shelf:
    """Something that is looked at, and may be right or not; keeps by which clauses it was."""

    def __init__(self) -> None:
        self.right = True
        self.asked: list[str] = []

    def look(self, player: Player, clause: str = HELD) -> None:
        self.asked.append(clause)
        player.demand(clause).require(self.right, "it is another one", "another one")


@pytest.fixture
def player(session: Session) -> Player:
    judge = Judge(session.registry, lambda _: True)
    return Player(session, never, judge, TOPICS.repertoire, [Life(None)], count(), wrong=False)


def never(_: object) -> Any:
    raise AssertionError("nothing has to be drawn")


def test_a_change_is_the_fault_of_the_call(player: Player) -> None:
    shelf = Shelf()
    still = player.keeping(shelf.look, KEPT)
    shelf.right = False
    with pytest.raises(Violation) as found:
        still()
    assert KEPT == found.value.clause


def test_what_was_wrong_before_is_not(player: Player) -> None:
    shelf = Shelf()
    shelf.right = False
    with pytest.raises(Violation) as found:
        player.keeping(shelf.look, KEPT)
    assert HELD == found.value.clause


def test_what_nobody_could_look_at_before_blames_no_call(player: Player) -> None:
    shelf = Shelf()
    shelf.right = False
    player.session.skipped_clauses = {HELD}
    player.keeping(shelf.look, KEPT)()
    assert [HELD] == shelf.asked


def test_after_a_known_change_nobody_knows_what_is_there(player: Player) -> None:
    """The change is known: nothing else is to blame for what is different from then on."""
    shelf = Shelf()
    player.session.skipped_clauses = {KEPT}
    still = player.keeping(shelf.look, KEPT)
    still()
    shelf.right = False
    with pytest.raises(UnexpectedEnd):
        still()
