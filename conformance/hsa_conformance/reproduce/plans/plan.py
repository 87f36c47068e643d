"""What a program has to do to show a failure again, before any language is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hsa_conformance.reproduce.plans.mentions import counted
from hsa_reports import Failure, Step
from hsa_reports.actions import Action, Join, Start, Together
from hsa_reports.demands import Demand, Survives
from hsa_reports.operands import Agent, Listed, Memory, Pool
from hsa_reports.terms import Counted
from hsa_spec import Function

#: The processes of a sequence, as a session names them.
PROCESSES: Final = ("main", "peer")

#: What is looked for by its place.
Found = Agent | Pool | Listed


class CannotReproduce(Exception):  # noqa: N818
    """No program can be made of a failure; the message says why and what to do."""


@dataclass
class Move:
    """One step, and what its process has to do around it.

    Args:
        number: of the step, from 1.
        step: the step.
        action: what it does.
        memory: what is laid out before it, since nothing before it needs it.
        found: the agents, pools and listed handles that are looked for after it, owners first.
        again: the names of those that were found before, too, and are others since the runtime
            was started again.
        began: where it waits for the end of a call, the move that started the call.
        restored_call: the kind of call that is refused no longer from this step on, or "".

    """

    number: int
    step: Step
    action: Action
    memory: list[Memory] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    again: set[str] = field(default_factory=set)
    began: Move | None = None
    restored_call: str = ""


@dataclass
class Turn:
    """Moves of one process in a row; before them it receives what the other one sent.

    Args:
        process: whose turn it is.
        receives: the names of the descriptors that were sent to it.
        moves: what it does; perhaps nothing, where a round begins or ends.
        waits: whether the other process has the turn before.
        passes: whether the other process has the next one.

    """

    process: str
    receives: list[str]
    moves: list[Move] = field(default_factory=list)
    waits: bool = False
    passes: bool = False


@dataclass(frozen=True)
class Plan:
    """A failure, ready to be written as a program.

    Attributes:
        clause: id of the clause.
        failure: the failure.
        turns: the moves, in their order.
        round: those of the turns that are made again and again, which are the last ones: the
            first and the last of them are the main process's, whose remains are counted.
        demand: what the last step has to do; None where only words can say it.
        functions: what is called by its symbol.
        members: what is called by its address.
        used: the names of what earlier steps gave and later ones use, by process.
        bytes_of: those among them that are used as bytes and not as a number.
        shared: where in memory that processes share the outputs lie that another one uses.

    """

    clause: str
    failure: Failure
    turns: tuple[Turn, ...]
    round: tuple[Turn, ...]
    demand: Demand | None
    functions: tuple[Function, ...]
    members: tuple[Function, ...]
    used: Mapping[str, frozenset[str]]
    bytes_of: Mapping[str, frozenset[str]]
    shared: Mapping[str, int]

    @property
    def processes(self) -> tuple[str, ...]:
        """Return the processes that take part."""
        return tuple(dict.fromkeys(turn.process for turn in self.turns))

    @property
    def moves(self) -> tuple[Move, ...]:
        """Return all moves in their order."""
        return tuple(move for turn in self.turns for move in turn.moves)

    @property
    def started(self) -> tuple[Move, ...]:
        """Return the moves that start a call in a thread."""
        return tuple(move for move in self.moves if isinstance(move.action, Start))

    @property
    def together(self) -> tuple[Move, ...]:
        """Return the moves in which several threads make calls at one time."""
        return tuple(move for move in self.moves if isinstance(move.action, Together))

    @property
    def by_chance(self) -> bool:
        """Return whether it depends on how threads meet whether the defect shows."""
        return self.demand is not None and bool(self.together)

    @property
    def again(self) -> bool:
        """Return whether a process makes all but the start several times, as chance decides."""
        first, *others = (getattr(move.action, "function", None) for move in self.moves)
        steady = first == "hsa_init" and not {"hsa_init", "hsa_shut_down"}.intersection(others)
        return self.by_chance and steady and len(self.turns) == 1 and not self.round

    @property
    def deadly(self) -> Move:
        """Return the move from which on a death is what is looked for.

        Where threads meet, chance decides which of the later calls it is: of those that are made
        together, or else of the same function.
        """
        if self.by_chance:
            return self.together[0]
        joined = [m.number for m in self.moves if isinstance(m.action, Join)]
        if not joined or not isinstance(self.demand, Survives):
            return self.last
        named = getattr(self.last.action, "function", None)
        return next(
            move
            for move in self.moves
            if move is self.last
            or (move.number > joined[-1] and getattr(move.action, "function", None) == named)
        )

    @property
    def where(self) -> str:
        """Return in words from where on a death is what is looked for."""
        if self.by_chance:
            return "once several threads made calls at one time"
        if self.deadly is not self.last:
            return f"in step {self.deadly.number} or later, as {self.last.step.call}"
        return f"in step {self.last.number}, {self.last.step.call}"

    @property
    def counted(self) -> tuple[Counted, ...]:
        """Return what is counted after the last move."""
        return counted(self.demand)

    @property
    def last(self) -> Move:
        """Return the move that shows the defect."""
        return self.moves[-1]

    def round_of(self, process: str) -> tuple[Turn, ...]:
        """Return the turns of one process that are made again and again."""
        return tuple(turn for turn in self.round if turn.process == process)
