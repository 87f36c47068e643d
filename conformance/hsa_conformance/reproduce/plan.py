"""What a program has to do to show a failure again, before any language is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hsa_conformance.reproduce.breach import breaks
from hsa_reports import Failure, Step
from hsa_reports.actions import (
    Action,
    Call,
    Close,
    Given,
    Join,
    LookUp,
    OpenFile,
    Read,
    Refuse,
    Send,
    SetVariable,
    Start,
    Write,
)
from hsa_reports.demands import Demand, Holds, KeepsNothing
from hsa_reports.operands import Agent, Callback, Listed, Memory, Named, Number, Pool, Taken, Value
from hsa_reports.terms import Apply, Counted, Held, Term
from hsa_spec import Function, Registry

#: Bytes that an output has at most whose value is a number.
_WORD: Final = 8

#: The processes of a sequence, as a session names them.
PROCESSES: Final = ("main", "peer")

#: What is looked for by its place.
Found = Agent | Pool | Listed

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
        found: the agents, pools and listed handles that are looked for after it, owners first.
        began: where it waits for the end of a call, the move that started the call.
        relents: whether the driver, which was made to fail, no longer does before it.

    """

    number: int
    step: Step
    action: Action
    memory: list[Memory] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    began: Move | None = None
    relents: bool = False


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
        bytes_of: those among them that are used as bytes and not as a number.
        shared: where in memory that processes share the outputs lie that another one uses.

    """

    clause: str
    failure: Failure
    turns: tuple[Turn, ...]
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
    def counted(self) -> tuple[Counted, ...]:
        """Return what is counted after the last move."""
        return counted(self.demand)

    @property
    def round(self) -> tuple[Move, ...]:
        """Return the moves that are made again and again."""
        return self.moves[-self.demand.steps :] if isinstance(self.demand, KeepsNothing) else ()

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
    for refusal, refused, later in zip(moves, moves[1:], moves[2:], strict=False):
        if isinstance(refusal.action, Refuse) and not isinstance(refused.action, Refuse):
            later.relents = True
    outputs = Outputs()
    seen: dict[str, _Seen] = {}
    for move in moves:
        process = move.step.process
        seen.setdefault(process, _Seen(process, outputs)).add(move)
        if isinstance(move.action, Send):
            if move.step.process != "main":
                raise CannotReproduce(f"step {move.number} sends from the second process")
            seen.setdefault("peer", _Seen("peer", outputs)).names.add(move.action.name)
    demand = failure.demand if breaks(moves[-1].action, failure.demand, registry) else None
    if isinstance(demand, Holds) and not seen[moves[-1].step.process].knows(demand, moves[-1]):
        demand = None
    # What two processes hold is not compared.
    if isinstance(demand, KeepsNothing) and len(seen) > 1:
        demand = None
    return Plan(
        clause,
        failure,
        _turns(moves),
        demand,
        *_functions(moves, counted(demand), registry),
        {process: frozenset(known.used) for process, known in seen.items()},
        {process: frozenset(known.bytes_of) for process, known in seen.items()},
        outputs.shared,
    )


def _move(number: int, step: Step, failure: Failure) -> Move:
    if step.action is None:
        raise CannotReproduce(
            f"step {number} is there in words only, as older versions wrote it: "
            f"make the run again with this one ({failure.reproduce})"
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


def leaves(term: Term) -> Iterator[Value | Held | Counted]:
    """Yield what a term is computed from."""
    if isinstance(term, Apply):
        for operand in term.operands:
            yield from leaves(operand)
    else:
        yield term


def counted(demand: Demand | None) -> tuple[Counted, ...]:
    """Return what a demand wants to be counted, each once."""
    if not isinstance(demand, Holds):
        return ()
    found = [leaf for leaf in leaves(demand.relation) if isinstance(leaf, Counted)]
    return tuple(dict.fromkeys(found))


class Outputs:
    """The outputs of more than eight bytes that the processes left, and those that are shared.

    Attributes:
        givers: the process that left each, and its size, by name.
        shared: the places of those that another process uses.

    """

    def __init__(self) -> None:
        self.givers: dict[str, tuple[str, int]] = {}
        self.shared: dict[str, int] = {}
        self._end = 0

    def share(self, name: str) -> None:
        """Give an output a place in memory that processes share."""
        if name not in self.shared:
            self.shared[name] = self._end
            self._end += -(-self.givers[name][1] // 16) * 16


class _Seen:
    """What one process has by now: names, memory, and a place to look for agents and pools."""

    def __init__(self, process: str, outputs: Outputs) -> None:
        self.names: set[str] = set()
        self.used: set[str] = set()
        self.bytes_of: set[str] = set()
        self._process = process
        self._outputs = outputs
        self._blocks: set[int] = set()
        self._found: list[Found] | None = None
        self._listed: set[str] = set()
        self._moves: list[Move] = []
        self._began: Move | None = None

    def add(self, move: Move) -> None:
        """Note what a move needs and what it gives."""
        for value in values(move.action):
            self._need(value, move)
        match move.action:
            case Call(function, _, status, outputs):
                self._give(outputs)
                if function == "hsa_init" and status == 0 and self._found is None:
                    self._found = move.found
            case OpenFile(name=str(name)):
                self.names.add(name)
            case Read(name=str(name), size=size):
                self.names.add(name)
                self._outputs.givers[name] = self._process, size
            case Start():
                self._began = move
            case Join(_, _, outputs):
                if self._began is None:
                    raise CannotReproduce(f"step {move.number} waits for a call that nobody made")
                move.began = self._began
                self._give(outputs)
        self._moves.append(move)

    def knows(self, demand: Holds, move: Move) -> bool:
        """Return whether all that a relation needs after the last move is there, to be used."""
        try:
            for leaf in leaves(demand.relation):
                if isinstance(leaf, Held):
                    self._use_bytes(leaf.name, move)
                elif isinstance(leaf, Counted):
                    for needed in (*leaf.arguments, leaf.address):
                        if needed is not None:
                            self._need(needed, move)
                else:
                    self._need(leaf, move)
        except CannotReproduce:
            return False
        return True

    def _use_bytes(self, name: str, move: Move) -> None:
        if name not in self.names:
            raise CannotReproduce(f"nothing before step {move.number} gave {name}")
        self.used.add(name)
        self.bytes_of.add(name)

    def _give(self, outputs: tuple[Given, ...]) -> None:
        for given in outputs:
            if given.name:
                self.names.add(given.name)
                size = len(given.content or b"")
                if size > _WORD:
                    self._outputs.givers[given.name] = self._process, size

    def _need(self, value: Value, move: Move) -> None:
        match value:
            case Agent() | Pool():
                self._look_for(value, move)
            case Listed():
                self._list(value, move)
            case Taken(name):
                self._use_bytes(name, move)
            case Named(name):
                if name not in self.names:
                    raise CannotReproduce(f"nothing before step {move.number} gave {name}")
                self.used.add(name)
            case Memory(block) if block not in self._blocks:
                self._blocks.add(block)
                if value.copied is not None:
                    self._copy(value.copied, move)
                move.memory.append(value)

    def _copy(self, name: str, move: Move) -> None:
        """Note that memory is copied from what an output held."""
        if name not in self._outputs.givers:
            raise CannotReproduce(f"nothing before step {move.number} gave {name}")
        if self._outputs.givers[name][0] == self._process:
            self._use_bytes(name, move)
        else:
            self._outputs.share(name)

    def _look_for(self, value: Agent | Pool, move: Move) -> None:
        if self._found is None:
            raise CannotReproduce(
                f"step {move.number} uses {value.name} before the runtime was initialised"
            )
        if isinstance(value, Pool):
            self._look_for(value.agent, move)
        if value.name not in {known.name for known in self._found}:
            self._found.append(value)

    def _list(self, value: Listed, move: Move) -> None:
        """List a handle again: where the steps did, at the start, or as late as possible."""
        if value.name in self._listed:
            return
        if self._found is None:
            raise CannotReproduce(
                f"step {move.number} uses {value.name} before the runtime was initialised"
            )
        self._listed.add(value.name)
        for needed in (*value.arguments, value.address):
            if needed is not None:
                self._need(needed, move)
        again = [m for m in self._moves if _lists(m.action, value)]
        if again:
            again[-1].found.append(value)
        elif _of_machine(value):
            self._found.append(value)
        else:
            self._moves[-1].found.append(value)


def _lists(action: Action, value: Listed) -> bool:
    """Return whether a step lists the same."""
    return (
        isinstance(action, Call)
        and (action.function, action.address) == (value.function, value.address)
        and action.status == 0
        and [a for a in action.arguments if not isinstance(a, Callback | Number)]
        == [a for a in value.arguments if not isinstance(a, Callback | Number)]
    )


def _of_machine(value: Value) -> bool:
    """Return whether a value is there as long as the runtime is initialised."""
    if isinstance(value, Listed):
        return value.address is None and all(_of_machine(a) for a in value.arguments)
    return isinstance(value, Agent | Pool | Number | Callback)


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
    moves: list[Move], lists: tuple[Counted, ...], registry: Registry
) -> tuple[tuple[Function, ...], tuple[Function, ...]]:
    """Return what is called by its symbol, and what by its address."""
    calls = [move.action for move in moves if isinstance(move.action, Call | Start)]
    names = [call.function for call in calls if call.address is None]
    members = [call.function for call in calls if call.address is not None]
    found = [value for move in moves for value in move.found]
    names += _FIND_AGENT if any(isinstance(value, Agent) for value in found) else ()
    listed: list[Listed | Counted] = [v for v in found if isinstance(v, Listed)]
    listed += lists
    names += [value.query for value in lists if value.query is not None]
    names += [value.function for value in listed if value.address is None]
    members += [value.function for value in listed if value.address is not None]
    names += [_FIND_POOL] if any(isinstance(value, Pool) for value in found) else []
    for name in (*names, *members):
        if name not in registry.functions:
            raise CannotReproduce(f"this version's registry does not know {name}")
    symbols, pointed = (
        tuple(registry.functions[name] for name in dict.fromkeys(group))
        for group in (names, members)
    )
    return symbols, pointed
