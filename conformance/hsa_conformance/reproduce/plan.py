"""What a program has to do to show a failure again, before any language is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hsa_conformance.reproduce.breach import breaks
from hsa_reports import Failure, Step
from hsa_reports.actions import (
    Action,
    Agent,
    Call,
    Close,
    Demand,
    Join,
    LookUp,
    Memory,
    Named,
    OpenFile,
    Pool,
    Read,
    Refuse,
    Send,
    SetVariable,
    Start,
    Value,
    Write,
)
from hsa_spec import Function, Registry

#: The processes of a sequence, as a session names them.
PROCESSES: Final = ("main", "peer")

#: What a process calls to find agents and pools again.
_FIND_AGENT = ("hsa_iterate_agents", "hsa_agent_get_info")
_FIND_POOL = "hsa_amd_agent_iterate_memory_pools"


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
        found: the agents and pools that are looked for after it, agents first.
        began: where it waits for the end of a call, the move that started the call.

    """

    number: int
    step: Step
    action: Action
    memory: list[Memory] = field(default_factory=list)
    found: list[Agent | Pool] = field(default_factory=list)
    began: Move | None = None


@dataclass
class Turn:
    """Moves of one process in a row; before them it receives what the other one sent."""

    process: str
    receives: list[str]
    moves: list[Move] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """A failure, ready to be written as a program.

    Attributes:
        clause: id of the clause.
        failure: the failure.
        turns: the moves, in their order.
        demand: what the last step has to do; None where only words can say it.
        functions: what is called by its symbol.
        members: what is called by its address.
        used: the names of what earlier steps gave and later ones use, by process.

    """

    clause: str
    failure: Failure
    turns: tuple[Turn, ...]
    demand: Demand | None
    functions: tuple[Function, ...]
    members: tuple[Function, ...]
    used: Mapping[str, frozenset[str]]

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
    def last(self) -> Move:
        """Return the move that shows the defect."""
        return self.turns[-1].moves[-1]


def plan_for(clause: str, failure: Failure, registry: Registry) -> Plan:
    """Return the plan of a program.

    Args:
        clause: id of the clause that failed.
        failure: how it failed.
        registry: the specification.

    Raises:
        CannotReproduce: the steps are not all there in a form that a program can be made of.

    """
    moves = [_move(number, step, failure) for number, step in enumerate(failure.steps, 1)]
    if not moves:
        raise CannotReproduce(f"the failure of {clause} has no steps")
    seen: dict[str, _Seen] = {}
    for move in moves:
        seen.setdefault(move.step.process, _Seen()).add(move)
        if isinstance(move.action, Send):
            if move.step.process != "main":
                raise CannotReproduce(f"step {move.number} sends from the second process")
            seen.setdefault("peer", _Seen()).names.add(move.action.name)
    return Plan(
        clause,
        failure,
        _turns(moves),
        failure.demand if breaks(moves[-1].action, failure.demand, registry) else None,
        *_functions(moves, registry),
        {process: frozenset(known.used) for process, known in seen.items()},
    )


def _move(number: int, step: Step, failure: Failure) -> Move:
    if step.action is None:
        raise CannotReproduce(
            f"step {number} is there in words only, as older versions wrote it: "
            f"make the run again with this one ({failure.reproduce})"
        )
    if isinstance(step.action, Refuse):
        raise CannotReproduce(
            f"step {number} makes the driver fail, which only a run on an imitated machine can: "
            f"make the run again ({failure.reproduce})"
        )
    if step.process not in PROCESSES:
        raise CannotReproduce(f"step {number} is of a process that is none of {PROCESSES}")
    return Move(number, step, step.action)


def values(action: Action) -> Iterator[Value]:
    """Yield every value that an action needs, also those inside memory."""
    match action:
        case Call() | Start():
            address = () if action.address is None else (action.address,)
            direct: tuple[Value, ...] = (*action.arguments, *address)
        case Read() | Write():
            direct = (action.address,)
        case Close() | Send():
            direct = (action.descriptor,)
        case SetVariable(number=number):
            direct = () if number is None else (number,)
        case OpenFile() | LookUp() | Join() | Refuse():
            direct = ()
    for value in direct:
        if isinstance(value, Memory):
            yield from (number for _, number in value.numbers)
        yield value


class _Seen:
    """What one process has by now: names, memory, and a place to look for agents and pools."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.used: set[str] = set()
        self._blocks: set[int] = set()
        self._found: list[Agent | Pool] | None = None
        self._began: Move | None = None

    def add(self, move: Move) -> None:
        """Note what a move needs and what it gives."""
        for value in values(move.action):
            match value:
                case Agent() | Pool():
                    self._look_for(value, move)
                case Named(name):
                    if name not in self.names:
                        raise CannotReproduce(f"nothing before step {move.number} gave {name}")
                    self.used.add(name)
                case Memory(block) if block not in self._blocks:
                    self._blocks.add(block)
                    move.memory.append(value)
        match move.action:
            case Call(function, _, status, outputs):
                self.names.update(given.name for given in outputs if given.name)
                if function == "hsa_init" and status == 0 and self._found is None:
                    self._found = move.found
            case OpenFile(name=str(name)) | Read(name=str(name)):
                self.names.add(name)
            case Start():
                self._began = move
            case Join(_, _, outputs):
                if self._began is None:
                    raise CannotReproduce(f"step {move.number} waits for a call that nobody made")
                move.began = self._began
                self.names.update(given.name for given in outputs if given.name)

    def _look_for(self, value: Agent | Pool, move: Move) -> None:
        if self._found is None:
            raise CannotReproduce(
                f"step {move.number} uses {value.name} before the runtime was initialised"
            )
        if isinstance(value, Pool):
            self._look_for(value.agent, move)
        if value.name not in {known.name for known in self._found}:
            self._found.append(value)


def _turns(moves: list[Move]) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    sent: list[str] = []
    for move in moves:
        process = move.step.process
        if not turns or turns[-1].process != process:
            turns.append(Turn(process, sent if process == "peer" else []))
            sent = [] if process == "peer" else sent
        turns[-1].moves.append(move)
        if isinstance(move.action, Send):
            sent.append(move.action.name)
    return tuple(turns)


def _functions(
    moves: list[Move], registry: Registry
) -> tuple[tuple[Function, ...], tuple[Function, ...]]:
    """Return what is called by its symbol, and what by its address."""
    calls = [move.action for move in moves if isinstance(move.action, Call | Start)]
    names = [call.function for call in calls if call.address is None]
    members = [call.function for call in calls if call.address is not None]
    found = [value for move in moves for value in move.found]
    names += _FIND_AGENT if found else ()
    names += [_FIND_POOL] if any(isinstance(value, Pool) for value in found) else []
    for name in (*names, *members):
        if name not in registry.functions:
            raise CannotReproduce(f"this version's registry does not know {name}")
    symbols, pointed = (
        tuple(registry.functions[name] for name in dict.fromkeys(group))
        for group in (names, members)
    )
    return symbols, pointed
