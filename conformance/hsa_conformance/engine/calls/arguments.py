"""A call made ready: each argument as the process takes it, in words, and as an event has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hsa_adapters.calls import Call, Callback
from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.output_sizes import output_size
from hsa_conformance.engine.calls.scratch import Scratch
from hsa_conformance.engine.calls.symbols import Symbol, text
from hsa_conformance.engine.calls.values import GUARD, PATTERN, Before, Data, Out, Value
from hsa_reports import operands
from hsa_spec import Function, Parameter, Registry

_GUARD = bytes([PATTERN]) * GUARD


@dataclass(slots=True)
class Argument:
    """One argument of a call.

    What a trace shows of it is made when somebody asks: most traces are never read.

    Attributes:
        parameter: what it is given for.
        value: what was asked for; for data, the address that it got.
        raw: what the process gets.
        content: bytes to be written at `raw` before the call.
        room: for an output, how many bytes the call may write there.
        known: the value as what it was computed from, where that is known.
        load: where it stands when the call is made, and of how many bytes it is.

    """

    parameter: Parameter
    value: int | Out | Before | Callback
    raw: int | Callback
    content: bytes | None = None
    room: int | None = None
    known: int = 0
    load: tuple[int, int] | None = None

    def words(self, registry: Registry) -> str:
        """Return what the trace shows."""
        match self.value:
            case Out():
                return f"&{self.parameter.name}"
            case Before(parameter):
                return f"that {parameter}"
            case Callback():
                return "callback"
            case number:
                return _shown(number, self.parameter, registry)

    @property
    def event(self) -> operands.Value:
        """Return what an event has."""
        match self.value:
            case Out():
                return operands.Output(self.room or 0)
            case Before(parameter):
                return operands.Before(parameter)
            case Callback() as callback:
                return recording.callback(callback)
            case _:
                return recording.recorded(self.known)


class Lent(NamedTuple):
    """Memory that the library may use until a call returns, and no longer.

    Attributes:
        start: where the memory begins, which was laid out as a whole.
        size: its bytes.
        content: what it holds before the call; None where that is not known.

    """

    start: int
    size: int
    content: bytes | None


class PreparedCall:
    """A call ready to be made.

    Args:
        function: what is called.
        arguments: in the order of the parameters.
        registry: the specification.
        address: where the function is that has no symbol.

    Attributes:
        numbers: the arguments that are numbers, under their names in the trace, by parameter.
        outputs: the names of the outputs.
        lent: the memory of inputs that is the caller's again once it has returned, by parameter.
        restored: what is written before it, where an earlier call had lost its memory.
        inside: what its callback calls each time.
        results: where the results of these calls go.
        stack: bytes of the stack of the thread that makes it; see `Call`.
        ends_loans: whether no other call uses what was lent at that time.
        overwrites: whether it is overwritten then.

    """

    def __init__(
        self,
        function: Function,
        arguments: Sequence[Argument],
        registry: Registry,
        address: Symbol | None,
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.address = address
        self.numbers: dict[str, int] = {}
        self.outputs: list[str] = []
        self.lent: Mapping[str, Lent] = {}
        self.restored: list[tuple[int, bytes]] = []
        self.inside: Sequence[PreparedCall] = ()
        self.results = 0
        self.stack = 0
        self.ends_loans = False
        self.overwrites = True
        self._registry = registry

    @property
    def call(self) -> Call:
        """Return the call as a process takes it."""
        raws, writes, reads, loads = [], [], [], []
        guards: list[int] = []
        for place, argument in enumerate(self.arguments):
            raw = argument.raw
            if isinstance(raw, Callback) and self.inside:
                calls = tuple(inner.call for inner in self.inside)
                raw = replace(raw, calls=calls, results=self.results)
            raws.append(raw)
            if argument.load is not None:
                loads.append((place, *argument.load))
            if argument.content is not None and isinstance(raw, int):
                writes.append((raw, argument.content))
                if argument.room is not None:  # what is read then: the output, and its guards
                    reads += [(raw, argument.room), (raw + argument.room, GUARD)]
                    guards.append(raw - GUARD)
        writes += [*self.restored, *((guard, _GUARD) for guard in guards)]
        reads += [(guard, GUARD) for guard in guards]
        lent: tuple[tuple[int, int], ...] = ()
        if self.lent and self.ends_loans:
            lent = tuple((each.start, each.size) for each in self.lent.values())
            reads += lent
        return Call(
            self.function.name,
            tuple(raws),
            tuple(writes),
            tuple(reads),
            address=self.address,
            loads=tuple(loads),
            overwritten=lent if self.overwrites else (),
            stack=self.stack,
        )

    def output(self, parameter: str) -> tuple[int, int]:
        """Return where the call writes an output, and how many bytes."""
        [given] = [a for a in self.arguments if a.parameter.name == parameter]
        return self.numbers[parameter], given.room or 0

    @property
    def words(self) -> str:
        """Return the call as the trace shows it."""
        return self.shown({})

    def shown(self, others: Mapping[str, str]) -> str:
        """Return the call in words, with other words for some arguments, by parameter."""
        inside = f"callback that calls {' and '.join(inner.words for inner in self.inside)}"
        if self.inside:
            others = {**{a.parameter.name: inside for a in self._callbacks}, **others}
        shown = (
            f"{a.parameter.name}={others.get(a.parameter.name) or a.words(self._registry)}"
            for a in self.arguments
        )
        return f"{self.function.name}({', '.join(shown)})"

    @property
    def events(self) -> tuple[operands.Value, ...]:
        """Return the arguments as an event has them."""
        calls = tuple(
            operands.InnerCall(inner.function.name, inner.events, inner.event_address)
            for inner in self.inside
        )
        return tuple(
            replace(event, calls=calls) if isinstance(event, operands.Callback) else event
            for event in (a.event for a in self.arguments)
        )

    @property
    def _callbacks(self) -> Sequence[Argument]:
        return [a for a in self.arguments if isinstance(a.value, Callback)]

    @property
    def event_address(self) -> operands.Value | None:
        """Return where an event says that the function is; None for the symbol of its name."""
        return None if self.address is None else recording.recorded(self.address)


def prepare(
    function: Function,
    values: Mapping[str, Value],
    registry: Registry,
    scratch: Scratch,
    symbols: Sequence[Symbol],
    address: Symbol | None = None,
    before: PreparedCall | None = None,
) -> PreparedCall:
    """Lay out what a call needs in memory.

    Args:
        function: what is to be called.
        values: a value for each parameter.
        registry: the specification.
        scratch: where inputs and outputs lie.
        symbols: what addresses may have been computed from.
        address: where the function is, if it has no symbol.
        before: the call that is made before it, if what that gives is an argument.

    """
    arguments: list[Argument] = []
    lent: list[tuple[Parameter, Lent]] = []
    prepared = PreparedCall(function, arguments, registry, address)
    for parameter in function.params:
        value = values[parameter.name]
        if isinstance(value, int) and parameter.is_lent and parameter.role != "address":
            value = scratch.afresh(value) or value
        if isinstance(value, int):
            computed_from = symbols if parameter.type.endswith("*") else ()
            known = recording.placed(value, computed_from)
            arguments.append(Argument(parameter, value, int(value), known=known))
            prepared.numbers[parameter.name] = value
            if parameter.type.endswith("*") and (block := scratch.block(value)) is not None:
                prepared.restored += scratch.restored(value)
                if not parameter.is_lent:
                    scratch.touch(value)
                # An address may be that of memory which agents write meanwhile.
                known = parameter.role != "address"
                content = scratch.untouched(block[0]) if known else None
                lent.append((parameter, Lent(*block, content)))
        elif isinstance(value, Out):
            size = value.size or output_size(function, parameter, values, registry)
            place = scratch.room_for(size)
            content = bytes([value.pattern]) * size + _GUARD
            arguments.append(Argument(parameter, value, place, content, size))
            prepared.numbers[parameter.name] = place
            prepared.outputs.append(parameter.name)
        elif isinstance(value, Data):
            own = scratch.own(value)
            arguments.append(Argument(parameter, own, int(own), value.content, known=own))
            prepared.numbers[parameter.name] = int(own)
            for number in value.numbers.values():
                prepared.restored += scratch.restored(number)
            lent.append((parameter, Lent(int(own), len(value.content), value.content)))
        elif isinstance(value, Before):
            assert before is not None, "the first call of a thread has none before it"
            arguments.append(Argument(parameter, value, 0, load=before.output(value.parameter)))
        else:
            arguments.append(Argument(parameter, value, value))
    if lent:
        prepared.lent = _only_lent(lent)
    return prepared


def _only_lent(given: Sequence[tuple[Parameter, Lent]]) -> dict[str, Lent]:
    """Return the memory that is there for no longer than the call, by parameter, each once."""
    stays = {lent.start for parameter, lent in given if not parameter.is_lent}
    found = {lent.start: (p.name, lent) for p, lent in given if lent.start not in stays}
    return dict(found.values())


def _shown(value: int, parameter: Parameter, registry: Registry) -> str:
    if isinstance(value, Symbol):
        return str(value)
    enum = registry.enums.get(parameter.type)
    if enum is not None and value in enum.by_value:
        return enum.by_value[value].name
    if value == 0 and parameter.type.endswith("*"):
        return "NULL"
    return text(value)
