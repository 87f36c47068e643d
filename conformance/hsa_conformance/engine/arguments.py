"""A call made ready: each argument as the process takes it, in words, and as an event has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hsa_adapters.protocol import Call, Callback
from hsa_conformance.engine import recording
from hsa_conformance.engine.calls import GUARD, PATTERN, Data, Out, Value
from hsa_conformance.engine.scratch import Scratch
from hsa_conformance.engine.symbols import Symbol, text
from hsa_reports import actions
from hsa_spec import Function, Parameter, Registry
from hsa_spec.layout import pointee, size_of


@dataclass(frozen=True)
class Argument:
    """One argument of a call.

    Attributes:
        name: of the parameter.
        raw: what the process gets.
        words: what the trace shows.
        event: what an event has.
        content: bytes to be written at `raw` before the call.
        room: for an output, how many bytes the call may write there.
        number: the value under its name in the trace, where it is a number.

    """

    name: str
    raw: int | Callback
    words: str
    event: actions.Value
    content: bytes | None = None
    room: int | None = None
    number: int | None = None


@dataclass(frozen=True)
class PreparedCall:
    """A call ready to be made.

    Attributes:
        function: what is called.
        arguments: in the order of the parameters.
        address: where the function is that has no symbol.

    """

    function: Function
    arguments: tuple[Argument, ...]
    address: Symbol | None = None

    @property
    def call(self) -> Call:
        """Return the call as a process takes it."""
        written = [(a.raw, a.content) for a in self.arguments if a.content is not None]
        return Call(
            self.function.name,
            tuple(a.raw for a in self.arguments),
            tuple((int(where), what) for where, what in written if isinstance(where, int)),
            tuple(area for a in self.outputs for area in _areas(a)),
            address=self.address,
        )

    @property
    def outputs(self) -> tuple[Argument, ...]:
        """Return the arguments with room for an output."""
        return tuple(a for a in self.arguments if a.room is not None)

    @property
    def written(self) -> list[str]:
        """Return the names of the outputs."""
        return [a.name for a in self.outputs]

    @property
    def words(self) -> str:
        """Return the call as the trace shows it."""
        shown = ", ".join(f"{a.name}={a.words}" for a in self.arguments)
        return f"{self.function.name}({shown})"

    @property
    def events(self) -> tuple[actions.Value, ...]:
        """Return the arguments as an event has them."""
        return tuple(a.event for a in self.arguments)

    @property
    def event_address(self) -> actions.Value | None:
        """Return where an event says that the function is; None for the symbol of its name."""
        return None if self.address is None else recording.recorded(self.address)

    @property
    def numbers(self) -> Mapping[str, int]:
        """Return the arguments that are numbers, by parameter."""
        return {a.name: a.number for a in self.arguments if a.number is not None}


def _areas(output: Argument) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return what is read after the call: the output, and the guard behind it."""
    assert isinstance(output.raw, int)
    assert output.room is not None
    return (output.raw, output.room), (output.raw + output.room, GUARD)


def prepare(
    function: Function,
    values: Mapping[str, Value],
    registry: Registry,
    scratch: Scratch,
    symbols: Sequence[Symbol],
    address: Symbol | None = None,
) -> PreparedCall:
    """Lay out what a call needs in memory.

    Args:
        function: what is to be called.
        values: a value for each parameter.
        registry: the specification.
        scratch: where inputs and outputs lie.
        symbols: what addresses may have been computed from.
        address: where the function is, if it has no symbol.

    """
    arguments = []
    for parameter in function.params:
        value = values[parameter.name]
        match value:
            case Out():
                arguments.append(_output(parameter, value, registry, scratch))
            case Data():
                arguments.append(_data(parameter, value, scratch))
            case Callback():
                event = recording.callback(value)
                arguments.append(Argument(parameter.name, value, "callback", event))
            case _:
                arguments.append(_number(parameter, value, registry, symbols))
    return PreparedCall(function, tuple(arguments), address)


def _output(parameter: Parameter, value: Out, registry: Registry, scratch: Scratch) -> Argument:
    size = value.size
    if size is None:
        size = size_of(pointee(parameter.type), registry)
    address = scratch.room_for(size)
    return Argument(
        parameter.name,
        address,
        f"&{parameter.name}",
        actions.Output(size),
        content=bytes([PATTERN]) * (size + GUARD),
        room=size,
        number=address,
    )


def _data(parameter: Parameter, value: Data, scratch: Scratch) -> Argument:
    symbol = scratch.own(value)
    return Argument(
        parameter.name,
        int(symbol),
        value.words,
        recording.recorded(symbol),
        content=value.content,
        number=int(symbol),
    )


def _number(
    parameter: Parameter, value: int, registry: Registry, symbols: Sequence[Symbol]
) -> Argument:
    computed_from = symbols if parameter.type.endswith("*") else ()
    return Argument(
        parameter.name,
        int(value),
        _shown(value, parameter, registry),
        recording.recorded(value, computed_from),
        number=value,
    )


def _shown(value: int, parameter: Parameter, registry: Registry) -> str:
    if isinstance(value, Symbol):
        return str(value)
    enum = registry.enums.get(parameter.type)
    if enum is not None and value in enum.by_value:
        return enum.by_value[value].name
    if value == 0 and parameter.type.endswith("*"):
        return "NULL"
    return text(value)
