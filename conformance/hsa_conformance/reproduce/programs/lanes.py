"""How the calls that several threads make at one time are spelled in C."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import groupby

from hsa_conformance.reproduce.plans.breach import unanswered
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Move
from hsa_conformance.reproduce.programs.spelling import Spelling
from hsa_reports.actions import Call, Together
from hsa_reports.demands import Answers, AsAlone
from hsa_reports.operands import Callback, Number, Output, Value
from hsa_spec import Parameter


@dataclass(frozen=True)
class Kind:
    """Calls that differ in numbers alone, for which there is one function of the program.

    Attributes:
        name: of that function.
        function: what is called.
        text: the call, with the numbers in an array `a`.

    """

    name: str
    function: str
    text: str


@dataclass(frozen=True)
class Lanes:
    """Threads in a row whose calls are spelled alike.

    Attributes:
        first: the number of the first, from 0.
        end: the number behind the last.
        calls: how often each call is made in a row, and its members in the table.

    """

    first: int
    end: int
    calls: tuple[tuple[int, str], ...]


class SpelledLanes(Spelling):
    """Spells calls of threads, too; see `Spelling`."""

    @abstractmethod
    def type(self, c_type: str) -> str:
        """Return a type; one of the API needs a definition then."""

    def kinds(self, move: Move) -> list[Kind]:
        """Return the kinds of calls that threads make in a move."""
        kinds: dict[tuple[object, ...], Kind] = {}
        for call in _calls(move):
            key = _key(call)
            if key not in kinds:
                kinds[key] = self._kind(f"call_{move.number}_{len(kinds) + 1}", call, move)
        return list(kinds.values())

    def lanes(self, move: Move) -> list[Lanes]:
        """Return what each thread does in a move."""
        names = dict(zip(dict.fromkeys(map(_key, _calls(move))), self.kinds(move), strict=True))
        place = 0
        spelled: list[list[str]] = []
        for lane in _together(move).lanes:
            spelled.append([])
            for call in lane:
                place += 1
                spelled[-1].append(self._row(names[_key(call)].name, call, move, place))
        lanes: list[Lanes] = []
        for rows, alike in groupby(spelled):
            first = lanes[-1].end if lanes else 0
            calls = tuple((len(list(same)), row) for row, same in groupby(rows))
            lanes.append(Lanes(first, first + len(list(alike)), calls))
        return lanes

    def rooms_used(self, move: Move, process: str) -> list[tuple[str, int, str, bool, int]]:
        """Return the outputs of threads that later steps use.

        Returns:
            Of each the variable of its room, the room's size, its name, whether its bytes are
            used, and the size of what was there.

        """
        used: list[tuple[str, int, str, bool, int]] = []
        for place, call in enumerate(_calls(move), 1):
            sizes = {p.name: v.size for p, v in self.paired(call, move) if isinstance(v, Output)}
            for given in call.outputs:
                if given.name in self._used(process) and given.content is not None:
                    room = f"{given.parameter}_{move.number}_{place}"
                    whole = given.name in self.plan.bytes_of[process]
                    size = len(given.content)
                    used.append((room, sizes[given.parameter], given.name, whole, size))
        return used

    def most_arguments(self) -> int:
        """Return how many numbers the call takes that takes the most."""
        made = [call for move in self.plan.together for call in _calls(move)]
        return max(1, *(len(call.arguments) + (call.address is not None) for call in made))

    def accused(self, move: Move) -> list[str]:
        """Return the kinds of calls whose answers the demand is about."""
        match self.plan.demand:
            case Answers(statuses):
                functions = unanswered(_together(move), statuses, self.registry)
            case AsAlone(function):
                functions = (function,)
            case _:
                functions = ()
        return [kind.name for kind in self.kinds(move) if kind.function in functions]

    def words_heard(self, parameters: tuple[Parameter, ...]) -> list[str]:
        """Return what a callback is called with as 64-bit numbers."""
        words: list[str] = []
        for parameter in parameters:
            kind = self.type(parameter.type)
            if parameter.type in self.registry.structs:
                words.append(f"{parameter.name}.handle")
            else:
                through = "(uintptr_t)" if kind.endswith("*") else ""
                words.append(f"(uint64_t){through}{parameter.name}")
        return words

    def _used(self, process: str) -> frozenset[str]:
        return self.plan.used[process] | self.plan.bytes_of[process]

    def _kind(self, name: str, call: Call, move: Move) -> Kind:
        spelled: list[str] = []
        for place, (parameter, value) in enumerate(self.paired(call, move)):
            if isinstance(value, Callback):
                if len(set(value.returns)) > 1:
                    raise CannotReproduce(f"in step {move.number} a callback of threads counts")
                spelled.append(self.callback(f"{parameter.name}_of_{name}", value, move))
            else:
                spelled.append(self.converted(parameter, f"a[{place}]"))
        address = None if call.address is None else f"a[{len(spelled)}]"
        made = self.called(call.function, spelled, address)
        result = self.result(call)
        through = "(uintptr_t)" if self.type(result).endswith("*") else ""
        if result == "void":
            return Kind(name, call.function, f"{made};\n    return 0;")
        return Kind(name, call.function, f"return (uint64_t){through}{made};")

    def _row(self, kind: str, call: Call, move: Move, place: int) -> str:
        """Return the members of a call in the table of the program."""
        pairs = self.paired(call, move)
        used = {name for process in self.plan.processes for name in self._used(process)}
        names = {given.parameter: given.name for given in call.outputs}
        words: list[str] = []
        for parameter, value in pairs:
            if isinstance(value, Output):
                known = names.get(parameter.name) in used
                fresh = f"room(GUARD + {self.literal(value.size)} + GUARD, PATTERN) + GUARD"
                words.append(f"{parameter.name}_{move.number}_{place}" if known else fresh)
            else:
                words.append(self._word(parameter, value))
        if call.address is not None:
            words.append(self.value(call.address))
        row = [f".call = {kind}", *([f".arguments = {{{', '.join(words)}}}"] if words else [])]
        known = call.status is not None and self.checked(call)
        status = self.status(call.status or 0) if known else "-1"
        if move is self.plan.last and self.plan.demand is not None:
            sizes = [v.size if isinstance(v, Output) else 0 for _, v in pairs]
            if isinstance(self.plan.demand, AsAlone) and any(sizes):
                row.append(f".sizes = {{{', '.join(map(str, sizes))}}}")
        else:
            row.append(f".recorded = {status}")
        return ", ".join(row)

    def _word(self, parameter: Parameter, value: Value) -> str:
        """Return an argument as a number."""
        if isinstance(value, Callback):
            return "0"
        if isinstance(value, Number):
            named = self.number(parameter, value.value)
            return named if named in self.constants else self.literal(value.value)
        return self.value(value)


def _together(move: Move) -> Together:
    assert isinstance(move.action, Together)
    return move.action


def _calls(move: Move) -> list[Call]:
    return [call for lane in _together(move).lanes for call in lane]


def _key(call: Call) -> tuple[object, ...]:
    callbacks = tuple(v for v in call.arguments if isinstance(v, Callback))
    return (call.function, call.address is None, callbacks)
