"""How types, values and calls are spelled in C."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hsa_adapters.signatures import code
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Move, Plan
from hsa_conformance.reproduce.programs.lanes import SpelledLanes
from hsa_conformance.reproduce.programs.lines import words, wrapped
from hsa_reports.text import one_line
from hsa_spec import CallbackType, Parameter, Registry
from hsa_spec.layout import resolved, unqualified

_SCALARS = {
    "void": "void",
    "i32": "int32_t",
    "u32": "uint32_t",
    "i64": "int64_t",
    "u64": "uint64_t",
    "u16": "uint16_t",
    "u8": "uint8_t",
    "bool": "bool",
    "size": "size_t",
}


class C(SpelledLanes):
    """C11, with nothing but what POSIX has; see `SpelledLanes`.

    Attributes:
        enums: the enumerations that were used, and the integers that stand for them.
        handles: the opaque handles that were used.
        structures: those that were passed by value, with their sizes in bytes.
        callback_types: the types of callbacks that were used.

    """

    words_of: ClassVar[Mapping[str, str]] = {"and": "&&", "or": "||"}

    def __init__(self, plan: Plan, registry: Registry) -> None:
        super().__init__(plan, registry)
        self.enums: dict[str, str] = {}
        self.handles: dict[str, None] = {}
        self.structures: dict[str, int] = {}
        self.callback_types: dict[str, CallbackType] = {}

    # types

    def type(self, c_type: str) -> str:
        """Return a type; one of the API needs a definition then."""
        kind = code(self.registry, c_type)
        name = resolved(unqualified(c_type).removeprefix("enum ").strip(), self.registry)
        if kind == "ptr":
            return "const void *" if "const" in c_type else "void *"
        if kind.startswith("callback:"):
            name = kind.removeprefix("callback:")
            self.callback_types[name] = self.registry.callbacks[name]
        elif name in self.registry.enums:
            self.enums[name] = _SCALARS[kind]
        elif name in self.registry.structs and self.registry.structs[name].handle:
            self.handles[name] = None
        elif kind in _SCALARS:
            return _SCALARS[kind]
        elif kind.startswith("struct:"):
            self.structures[name] = int(kind.removeprefix("struct:"))
        else:
            raise CannotReproduce(f"a {name} is passed by value, which no program does yet")
        return name

    def declared(self, c_type: str, name: str) -> str:
        """Return the declaration of a name."""
        kind = self.type(c_type)
        return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"

    def prototype(self, result: str, name: str, params: tuple[Parameter, ...]) -> str:
        """Return the declaration of a function, or of what points at one."""
        spelled = [self.declared(p.type, p.name) for p in params] or ["void"]
        return wrapped(f"{self.declared(result, name)}(", spelled, ")")

    # functions

    def symbol(self, function: str) -> str:
        """Return a function of the library, which a variable of its name points to."""
        return function

    def member(self, function: str, address: str) -> str:
        """Return the function at an address, which is a 64-bit number."""
        return f"(({function}_fn)(uintptr_t)({address}))"

    def device(self, kind: int) -> str:
        """Return a device type."""
        self.type("hsa_device_type_t")
        return super().device(kind)

    # values

    def literal(self, number: int) -> str:
        """Return a number; what is large stands in hexadecimal."""
        if number < 0:
            return f"({number})" if number >= -(2**31) else f"(int64_t){number & 2**64 - 1:#x}"
        return str(number) if number < 256 else f"{number:#x}"

    def truth(self, holds: bool) -> str:
        """Return a truth value."""
        return "true" if holds else "false"

    def bytes(self, content: bytes) -> str:
        """Return bytes as a literal."""
        lines = [content[at : at + 20] for at in range(0, len(content), 20)] or [b""]
        spelled = ('"' + "".join(f"\\x{byte:02x}" for byte in line) + '"' for line in lines)
        return "\n        ".join(spelled)

    def string(self, text: str) -> str:
        """Return text as a literal."""
        shown = one_line(text).replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
        return f'"{shown}"'

    def address(self, spelled: str) -> str:
        """Return a 64-bit number as a pointer."""
        return f"address({spelled})"

    def number(self, parameter: Parameter, number: int) -> str:
        """Return a plain number as an argument."""
        kind = self.type(parameter.type)
        if number == 0 and (kind.endswith("*") or kind in self.callback_types):
            return "NULL"
        if kind in self.enums:
            known = self.registry.enums[kind].by_value.get(number)
            return self.constant(known.name) if known else f"({kind}){self.literal(number)}"
        if kind in _SCALARS.values():
            return self.literal(number)
        return self.converted(parameter, self.literal(number))

    def converted(self, parameter: Parameter, spelled: str) -> str:
        """Return a 64-bit number as an argument."""
        kind = self.type(parameter.type)
        if kind.endswith("*"):
            return self.address(spelled)
        if kind in self.handles:
            return f"({kind}){{{spelled}}}"
        if kind in self.structures:
            return f"*({kind} *)address({spelled})"
        through = "(uintptr_t)" if kind in self.callback_types else ""
        return f"({kind}){through}({spelled})"

    # text

    def comment(self, move: Move) -> str:
        """Return the words of a step."""
        lines = [line.replace("*/", "* /").replace("/*", "/ *") for line in words(move)]
        return f"/* {f'{chr(10)}     * '.join(lines)} */"
