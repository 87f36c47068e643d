"""How types, values and calls are spelled in Python, with ctypes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hsa_adapters.memory import MEMORY
from hsa_adapters.signatures import code
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Move, Plan
from hsa_conformance.reproduce.programs.lines import words
from hsa_conformance.reproduce.programs.spelling import Spelling
from hsa_reports.actions import Refuse
from hsa_reports.text import one_line
from hsa_spec import Parameter, Registry

_TYPES = {
    "void": "None",
    "i32": "ctypes.c_int32",
    "u32": "ctypes.c_uint32",
    "i64": "ctypes.c_int64",
    "u64": "ctypes.c_uint64",
    "u16": "ctypes.c_uint16",
    "u8": "ctypes.c_uint8",
    "bool": "ctypes.c_uint8",
    "size": "ctypes.c_size_t",
    "ptr": "ctypes.c_uint64",
}


class Python(Spelling):
    """Python 3.9 and its standard library: every argument is an integer; see `Spelling`."""

    words_of: ClassVar[Mapping[str, str]] = {"and": "and", "or": "or"}

    def __init__(self, plan: Plan, registry: Registry) -> None:
        super().__init__(plan, registry)
        if plan.together:
            raise CannotReproduce("threads of Python take turns: give --c")
        if plan.round:
            # Python's own memory grows and shrinks.
            raise CannotReproduce("what a process keeps is counted in C alone: give --c")

        if any(isinstance(m.action, Refuse) and m.action.call == MEMORY for m in plan.moves):
            raise CannotReproduce("a program in C alone can refuse a library memory: give --c")

    def type(self, c_type: str) -> str:
        """Return the ctypes class of a type; handles, pointers and callbacks are numbers."""
        kind = code(self.registry, c_type)
        if kind.startswith("callback:"):
            return "ctypes.c_uint64"
        if kind.startswith("struct:"):
            return f"by_value({kind.removeprefix('struct:')})"
        if kind not in _TYPES:
            raise CannotReproduce(f"a {c_type} is passed by value, which no program does yet")
        return _TYPES[kind]

    def types(self, result: str, params: tuple[Parameter, ...]) -> list[str]:
        """Return the types of the result and of the parameters of a function or callback."""
        return [self.type(result), *(self.type(p.type) for p in params)]

    def symbol(self, function: str) -> str:
        """Return a function of the library."""
        return f"api.{function}"

    def member(self, function: str, address: str) -> str:
        """Return the function at an address, which is a 64-bit number."""
        return f'member("{function}", {address})'

    def literal(self, number: int) -> str:
        """Return a number; what is large stands in hexadecimal."""
        return str(number) if abs(number) < 256 else f"{number:#x}"

    def bytes(self, content: bytes) -> str:
        """Return bytes as a literal."""
        return repr(content) if len(content) < 16 else f'bytes.fromhex("{content.hex()}")'

    def string(self, text: str) -> str:
        """Return text as a literal."""
        return repr(one_line(text, 2000))

    def address(self, spelled: str) -> str:
        """Return a pointer, which is a number."""
        return spelled

    def number(self, parameter: Parameter, number: int) -> str:
        """Return a plain number as an argument."""
        enum = self.registry.enums.get(parameter.type)
        known = enum.by_value.get(number) if enum else None
        return self.constant(known.name) if known else self.literal(number)

    def converted(self, parameter: Parameter, spelled: str) -> str:
        """Return a 64-bit number as an argument, which it is."""
        return spelled

    def comment(self, move: Move) -> str:
        """Return the words of a step."""
        return "\n    ".join(f"# {line}" for line in words(move))
