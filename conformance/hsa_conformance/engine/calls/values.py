"""What goes into a call, and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.origins import TracedBytes, TracedNumber
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_reports.operands import Named
from hsa_spec import Function

PATTERN: Final = 0xA5  # what outputs hold before a call, so that "untouched" can be seen
OTHER_PATTERN: Final = 0x5A  # and before another, where the first might be what was written
STATUS: Final = "hsa_status_t"
GUARD: Final = 32  # bytes before and after each output that no call may write


class Out:
    """Ask for room for an output parameter.

    Args:
        size: the bytes; None for what its value takes.
        pattern: what each byte of it holds before the call.

    """

    def __init__(self, size: int | None = None, pattern: int = PATTERN) -> None:
        self.size = size
        self.pattern = pattern


@dataclass(frozen=True)
class Data:
    """Bytes that the process shall hold for an input parameter.

    Args:
        content: the bytes.
        words: what a trace shows for them.
        numbers: what stands in them as eight bytes each, such as handles, by place.

    """

    content: bytes
    words: str = "data"
    numbers: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Before:
    """Ask for what the call before, of the same thread beside others, gives.

    Args:
        parameter: the output of that call.

    """

    parameter: str


Value = int | Out | Data | Before | Callback


@dataclass
class Answer:
    """What a call answered: the status or the value, and the outputs by parameter."""

    function: Function
    status: int
    name: str
    outputs: Mapping[str, bytes | None]
    guards: Mapping[str, bytes | None]
    callbacks: tuple[tuple[int, ...], ...]
    args: Mapping[str, int]
    symbols: dict[str, Symbol] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)  # the names of outputs of several words
    step_count: int | None = None  # how many steps there were then, if it is one of them
    changed: Sequence[str] = ()  # the inputs in whose memory other bytes stand than before
    zeros: int = 0  # of repeated calls, how many returned a number whose lower half is 0

    @property
    def ok(self) -> bool:
        """Return whether the call answered SUCCESS, if it answers a status at all."""
        return self.status == 0 or self.function.result != STATUS

    def __getitem__(self, parameter: str) -> int:
        """Return an output as a number, under its name in the trace."""
        return self.symbols[parameter]

    def number(self, parameter: str, *, signed: bool = False) -> int:
        """Return the bytes of an output as a plain number."""
        value = int.from_bytes(self.outputs[parameter] or b"", "little", signed=signed)
        symbol = self.symbols.get(parameter)
        # What is negative has another value where fewer bytes are taken for a number.
        return value if symbol is None or value < 0 else TracedNumber(value, Named(symbol.name))

    def content(self, parameter: str) -> bytes:
        """Return the bytes of an output, none where there are none."""
        content, name = self.outputs[parameter] or b"", self.held.get(parameter)
        return content if name is None else TracedBytes(content, name)

    def untouched(self, parameter: str, pattern: int = PATTERN) -> bool:
        """Return whether an output still holds what was laid into it before the call."""
        content = self.outputs[parameter]
        return content is not None and self.is_pattern(content, pattern)

    @staticmethod
    def is_pattern(content: bytes, pattern: int = PATTERN) -> bool:
        """Return whether bytes of an output are as they were laid out before the call."""
        return not content.strip(bytes([pattern]))

    def unwritten(self) -> list[str]:
        """Return the outputs that a success has to write and that were not given or not written."""
        return [
            p.name
            for p in self.function.params
            # What a `void*` receives depends on the attribute; see `checks.status.clauses`.
            if p.direction == "out" and p.type != "void*" and not p.nullable and not p.conditional
            if p.name not in self.outputs or self.untouched(p.name)
        ]

    def overrun(self) -> str | None:
        """Return the output before or behind which the call wrote, if any."""
        for name, guard in self.guards.items():
            if guard is not None and guard.strip(bytes([PATTERN])):
                return name
        return None


def numbers(function: Function, values: Mapping[str, Value]) -> list[int]:
    """Return the arguments of a call as numbers, in the order of the parameters.

    Outputs, data and callbacks that are not laid out yet count as 1: they are not NULL.
    """
    return [int(v) if isinstance(v := values[p.name], int) else 1 for p in function.params]
