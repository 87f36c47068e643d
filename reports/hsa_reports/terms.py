"""What is computed from what the steps of a failure gave, so that a program can compare it."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reports.operands import Value


@dataclass(frozen=True)
class Held:
    """The bytes that a step left in an output of more than eight, by the output's name."""

    name: str
    size: int


@dataclass(frozen=True)
class Counted:
    """How many handles a function gives to its callback.

    Args:
        function: what is called.
        arguments: those of the call, the callback among them.
        place: which argument of the callback the handle is, from 0.
        query: the function that each is asked by, where only some of them count.
        attribute: what is asked for.
        content: what a handle that counts has to answer.
        address: where the function is; None: the symbol of its name.

    """

    function: str
    arguments: tuple[Value, ...]
    place: int = 0
    query: str | None = None
    attribute: int = 0
    content: bytes = b""
    address: Value | None = None


@dataclass(frozen=True)
class Apply:
    """What an operator makes of terms; numbers are unsigned, of 64 bits; 0 is false.

    Args:
        operator: such as "==" or "part"; no program is made of one that its language lacks.
        operands: what it is applied to.

    """

    operator: str
    operands: tuple[Term, ...]


Term = Value | Held | Counted | Apply
