"""What a process has by the time of a step, so that the step can be made again."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_conformance.reproduce.plans.mentions import demanded, values
from hsa_conformance.reproduce.plans.outputs import Outputs
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Found, Move
from hsa_reports.actions import Action, Call, Given, Join, OpenFile, Read, Start, Together
from hsa_reports.demands import Holds, InheritsNothing
from hsa_reports.operands import Agent, Callback, Listed, Memory, Named, Number, Pool, Taken, Value
from hsa_reports.terms import Counted, Held

#: Bytes that an output has at most whose value is a number.
_WORD: Final = 8


class Inventory:
    """What one process has by now: names, memory, and a place to look for agents and pools."""

    def __init__(self, process: str, outputs: Outputs) -> None:
        self.names: set[str] = set()
        self.used: set[str] = set()
        self.bytes_of: set[str] = set()
        self._process = process
        self._outputs = outputs
        self._blocks: set[int] = set()
        self._references = 0
        self._start: Move | None = None
        self._found: set[str] = set()
        self._known_names: set[str] = set()
        self._moves: list[Move] = []
        self._began: Move | None = None

    def add(self, move: Move) -> None:
        """Note what a move needs and what it gives."""
        for value in values(move.action):
            self._need(value, move)
        match move.action:
            case Call():
                self._give(move.action.outputs)
                self._count(move.action, move)
            case Together(lanes):
                for call in (call for lane in lanes for call in lane):
                    self._give(call.outputs)
                    self._count(call, move)
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

    def _count(self, call: Call, move: Move) -> None:
        """Note when the runtime starts: handles that were found before are none any more."""
        if call.status != 0 or call.function not in ("hsa_init", "hsa_shut_down"):
            return
        if call.function == "hsa_shut_down":
            self._references -= 1
            return
        if self._references <= 0:
            self._start, self._references = move, 0
            self._found.clear()
            self._moves.clear()
        self._references += 1

    def knows(self, demand: Holds | InheritsNothing, move: Move) -> bool:
        """Return whether all that a demand needs after the last move is there, to be used."""
        try:
            for leaf in demanded(demand):
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
                there = value.again in self._blocks  # a shorter program may have no such block
                move.memory.append(value if there else replace(value, again=None))

    def _copy(self, name: str, move: Move) -> None:
        """Note that memory is copied from what an output held."""
        if name not in self._outputs.givers:
            raise CannotReproduce(f"nothing before step {move.number} gave {name}")
        if self._outputs.givers[name][0] == self._process:
            self._use_bytes(name, move)
        else:
            self._outputs.share(name)

    def _look_for(self, value: Agent | Pool, move: Move) -> None:
        start = self._started(value, move)
        if isinstance(value, Pool):
            self._look_for(value.agent, move)
        self._find(value, start)

    def _list(self, value: Listed, move: Move) -> None:
        """List a handle again: where the steps did, at the start, or as late as possible."""
        start = self._started(value, move)
        if value.name in self._found:
            return
        for needed in (*value.arguments, value.address):
            if needed is not None:
                self._need(needed, move)
        again = [m for m in self._moves if _lists(m.action, value)]
        if again:
            self._find(value, again[-1])
        else:
            self._find(value, start if _of_machine(value) else self._moves[-1])

    def _started(self, value: Found, move: Move) -> Move:
        """Return the move after which there is something to be found."""
        if self._start is None:
            raise CannotReproduce(
                f"step {move.number} uses {value.name} before the runtime was initialised"
            )
        return self._start

    def _find(self, value: Found, move: Move) -> None:
        """Look for something after a move, if that is not done since the runtime has started."""
        if value.name in self._found:
            return
        if value.name in self._known_names:
            move.again.add(value.name)
        self._found.add(value.name)
        self._known_names.add(value.name)
        move.found.append(value)


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
