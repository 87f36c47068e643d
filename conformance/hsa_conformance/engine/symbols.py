"""Numbers that remember what they are called, so that a trace reads like a program."""

from __future__ import annotations

from hsa_reports.actions import Origin


class Symbol(int):
    """An integer that came out of a call, or a sum of one and an offset.

    Arithmetic keeps the name where the result is still "that value plus something". The origin says
    how another process would come by the value without the offset.
    """

    name: str
    offset: int
    origin: Origin | None

    def __new__(
        cls, value: int, name: str, offset: int = 0, origin: Origin | None = None
    ) -> Symbol:
        """Return the number `value`, known as `name` plus `offset`."""
        symbol = super().__new__(cls, value)
        symbol.name = name
        symbol.offset = offset
        symbol.origin = origin
        return symbol

    def __add__(self, other: int) -> Symbol:
        return Symbol(int(self) + int(other), self.name, self.offset + int(other), self.origin)

    __radd__ = __add__

    def __sub__(self, other: int) -> Symbol:
        return Symbol(int(self) - int(other), self.name, self.offset - int(other), self.origin)

    def __str__(self) -> str:
        if not self.offset:
            return self.name
        sign = "+" if self.offset > 0 else "-"
        return f"{self.name} {sign} {abs(self.offset):#x}"

    __repr__ = __str__


def text(value: int) -> str:
    """Return a number as it should stand in a trace."""
    if isinstance(value, Symbol):
        return str(value)
    return str(value) if -10 < value < 4096 and value % 256 else f"{value:#x}"
