"""What the languages that programs are written in have in common."""

from __future__ import annotations

import errno
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from hsa_adapters.signatures import code
from hsa_adapters.virtual_kfd.faults import calls
from hsa_conformance.engine.calls import GUARD, PATTERN
from hsa_conformance.reproduce.plan import CannotReproduce, Move, Plan
from hsa_reports.actions import Call, Refuse, Start
from hsa_reports.operands import (
    Agent,
    Callback,
    Listed,
    Memory,
    Named,
    Number,
    Output,
    Pool,
    Taken,
    Value,
)
from hsa_reports.terms import Apply, Counted, Held, Term
from hsa_reports.text import one_line
from hsa_spec import CallbackType, Parameter, Registry

_WIDTH = 96


class Spelling(ABC):
    """Spells the parts of one plan, and keeps in mind what they need to be defined.

    Args:
        plan: what is spelled.
        registry: the specification.

    Attributes:
        constants: the names of the API that were used, with their values.
        callbacks: the callbacks that were used, by the names that they got.
        listed: the handles that are listed again, by name.

    """

    pattern, guard = PATTERN, GUARD
    #: How the language writes "and" and "or".
    words_of: ClassVar[Mapping[str, str]]

    def __init__(self, plan: Plan, registry: Registry) -> None:
        self.plan = plan
        self.registry = registry
        self.constants: dict[str, int] = {}
        self.callbacks: dict[str, Callback] = {}
        self.listed: dict[str, Listed] = {}

    # names

    def constant(self, name: str) -> str:
        """Return a name of the API."""
        if name not in self.registry.constants:
            raise CannotReproduce(f"this version's registry does not know {name}")
        self.constants[name] = self.registry.constants[name]
        return name

    def status(self, value: int) -> str:
        """Return a status by its name, or as a number when it has none."""
        name = self.registry.status_name(value)
        return self.constant(name) if name in self.registry.constants else self.literal(value)

    def name_likely(self) -> None:
        """Name the statuses that are documented or allowed, so that a line can tell any of them."""
        called = (*self.plan.functions, *self.plan.members)
        documented = [status for f in called for status in f.documented]
        allowed = [a.status for a in self.plan.failure.allowed]
        for status in (*documented, *allowed):
            if status in self.registry.constants:
                self.constant(status)

    def statuses(self) -> list[str]:
        """Return the statuses that the program names."""
        known = {e.name for e in self.registry.enums["hsa_status_t"].enumerators}
        return [name for name in self.constants if name in known]

    def device(self, kind: int) -> str:
        """Return a device type."""
        known = self.registry.enums["hsa_device_type_t"].by_value.get(kind)
        return self.constant(known.name) if known else self.literal(kind)

    # values

    @abstractmethod
    def literal(self, number: int) -> str:
        """Return a number; what is large stands in hexadecimal."""

    @abstractmethod
    def bytes(self, content: bytes) -> str:
        """Return bytes as a literal."""

    def value(self, value: Value) -> str:
        """Return a value as a 64-bit number."""
        match value:
            case Number(number):
                return self.literal(number)
            case Memory(block=block, offset=offset):
                return _sum(f"block{block}", offset)
            case Agent(name=name, offset=offset) | Pool(name=name, offset=offset):
                return _sum(name, offset)
            case Listed(name=name, offset=offset) | Named(name, offset):
                return _sum(name, offset)
            case Taken(name, at, size, offset):
                return _sum(f"number({name} + {at}, {size})", offset)
            case _:
                raise CannotReproduce("an output or a callback stands where a number belongs")

    def term(self, term: Term) -> str:
        """Return a term of a relation."""
        match term:
            case Held(name):
                return name
            case Counted():
                return self.count(term)
            case Apply(operator, operands):
                return self.applied(operator, operands)
            case _:
                return self.value(term)

    def applied(self, operator: str, operands: tuple[Term, ...]) -> str:
        """Return what an operator makes of terms.

        Raises:
            CannotReproduce: this version does not know the operator.

        """
        spelled = [self.term(operand) for operand in operands]
        if operator in self.words_of:
            made = f"({f' {self.words_of[operator]} '.join(spelled)})"
        elif operator == "part":
            made = f"number({spelled[0]} + {spelled[1]}, {spelled[2]})"
        elif isinstance(held := operands[0], Held):
            made = f"{operator}({spelled[0]}, {held.size})"
        elif operator in ("is_multiple", "minus"):
            made = f"{operator}({spelled[0]}, {spelled[1]})"
        elif operator in ("==", "<=", "<"):
            made = f"({spelled[0]} {operator} {spelled[1]})"
        else:
            raise CannotReproduce(f"this version does not know the operator {operator!r}")
        return made

    def refusal(self, action: Refuse) -> str:
        """Return the arguments that make the imitated driver fail.

        Raises:
            CannotReproduce: this version's imitation has no such call, or there is no such error.

        """
        number, error = calls().get(action.call), getattr(errno, action.error, None)
        if number is None or error is None:
            raise CannotReproduce(f"no driver's call {action.call} can fail with {action.error}")
        return f"{number:#x}, {action.after}, {error}, {int(action.lasting)}"

    # calls

    def checked(self, call: Call | Start) -> bool:
        """Return whether the answer of a call is a status."""
        return self.result(call) == "hsa_status_t"

    def result(self, call: Call | Start) -> str:
        """Return the type of what a call answers."""
        return self.registry.functions[call.function].result

    def is_signed(self, call: Call) -> bool:
        """Return whether what a call answers is a signed number."""
        return code(self.registry, self.result(call)).startswith("i")

    def room(self, move: Move, parameter: str) -> str:
        """Return the variable of an output of a call."""
        return f"{parameter}_{move.number}"

    def rooms(self, move: Move) -> dict[str, int]:
        """Return the sizes in bytes of the outputs of a call."""
        return {p.name: v.size for p, v in self.given(move) if isinstance(v, Output)}

    def given(self, move: Move) -> list[tuple[Parameter, Value]]:
        """Return the parameters of a call with their values."""
        assert isinstance(move.action, Call | Start)
        params = self.registry.functions[move.action.function].params
        if len(params) != len(move.action.arguments):
            raise CannotReproduce(f"step {move.number} has another number of arguments")
        return list(zip(params, move.action.arguments, strict=True))

    def call(self, move: Move) -> str:
        """Return a call."""
        assert isinstance(move.action, Call | Start)
        arguments = [self.argument(p, v, move) for p, v in self.given(move)]
        return self.called(move, arguments, self.where(move.action))

    def called(self, move: Move, spelled: list[str], address: str | None) -> str:
        """Return a call with its arguments, by the function's symbol or by its address."""
        assert isinstance(move.action, Call | Start)
        name = move.action.function
        function = self.symbol(name) if address is None else self.member(name, address)
        return self.wrapped(f"{function}(", spelled, ")")

    def count(self, value: Counted) -> str:
        """Return the variable of how many handles are listed."""
        return f"count{self.plan.counted.index(value) + 1}"

    def asked(self, value: Counted, handle: str, room: str) -> str:
        """Return the call that asks a listed handle, whose answer is written to a room."""
        params = self.registry.functions[value.query or ""].params
        if len(params) != 3:
            raise CannotReproduce(f"{value.query} has another number of arguments")
        attribute = self.number(params[1], value.attribute)
        return self.wrapped(f"{self.symbol(value.query or '')}(", [handle, attribute, room], ")")

    def listing(self, value: Listed | Counted) -> str:
        """Return the call that lists handles, whose callback `looker` names."""
        params = self.registry.functions[value.function].params
        if len(params) != len(value.arguments):
            raise CannotReproduce(f"{value.function} has another number of arguments")
        spelled = [
            self.looker(value) if isinstance(given, Callback) else self.plain(parameter, given)
            for parameter, given in zip(params, value.arguments, strict=True)
        ]
        address = None if value.address is None else self.value(value.address)
        name = value.function
        function = self.symbol(name) if address is None else self.member(name, address)
        return self.wrapped(f"{function}(", spelled, ")")

    def looker(self, value: Listed | Counted) -> str:
        """Return the name of the callback that looks for a listed handle, or counts them."""
        if isinstance(value, Counted):
            return f"add_to_{self.count(value)}"
        self.listed[value.name] = value
        return f"look_for_{value.name}"

    def listed_by(self, value: Listed | Counted) -> CallbackType:
        """Return the type of the callback that a listed handle is given to."""
        kind = next(a.type for a in value.arguments if isinstance(a, Callback))
        if kind not in self.registry.callbacks:
            raise CannotReproduce(f"this version's registry does not know {kind}")
        return self.registry.callbacks[kind]

    def source(self, block: Memory) -> str:
        """Return the address of what a block is copied from."""
        assert block.copied is not None
        if block.copied in self.plan.shared:
            return f"shared + {self.plan.shared[block.copied]}"
        return block.copied

    @abstractmethod
    def symbol(self, function: str) -> str:
        """Return a function of the library."""

    @abstractmethod
    def member(self, function: str, address: str) -> str:
        """Return the function at an address, which is a 64-bit number."""

    def numbers(self, move: Move) -> list[str]:
        """Return the arguments of a call as 64-bit numbers, and the address that it has, if any."""
        assert isinstance(move.action, Call | Start)
        numbers = [
            self.room(move, p.name) if isinstance(v, Output) else self.value(v)
            for p, v in self.given(move)
        ]
        address = self.where(move.action)
        return numbers if address is None else [*numbers, address]

    def where(self, call: Call | Start) -> str | None:
        """Return the address of the function that is called, None where it has a symbol."""
        return None if call.address is None else self.value(call.address)

    def in_thread(self, move: Move) -> str:
        """Return a call in a thread, whose arguments are kept in an array."""
        assert isinstance(move.action, Start)
        spelled = [f"{self.array(move)}[{place}]" for place, _ in enumerate(self.given(move))]
        if move.action.most:
            spelled[-1] += f" + {self.calls_made(move)} * {self.literal(move.action.step)}"
        params = [p for p, _ in self.given(move)]
        arguments = [self.converted(p, s) for p, s in zip(params, spelled, strict=True)]
        address = f"{self.array(move)}[{len(params)}]"
        return self.called(move, arguments, address if move.action.address is not None else None)

    def array(self, move: Move) -> str:
        """Return the name of the array of a call in a thread."""
        return f"arguments_{move.number}"

    def calls_made(self, move: Move) -> str:
        """Return the name of the number of calls that a thread has made."""
        return f"made_{move.number}"

    def argument(self, parameter: Parameter, value: Value, move: Move) -> str:
        """Return an argument of a call."""
        match value:
            case Output():
                return self.address(self.room(move, parameter.name))
            case Callback(kind):
                if kind not in self.registry.callbacks:
                    raise CannotReproduce(f"this version's registry does not know {kind}")
                name = f"{parameter.name}_{move.number}"
                self.callbacks[name] = value
                return name
            case _:
                return self.plain(parameter, value)

    def plain(self, parameter: Parameter, value: Value) -> str:
        """Return an argument that is a number."""
        if isinstance(value, Number):
            return self.number(parameter, value.value)
        return self.converted(parameter, self.value(value))

    @abstractmethod
    def address(self, spelled: str) -> str:
        """Return a 64-bit number as a pointer."""

    @abstractmethod
    def number(self, parameter: Parameter, number: int) -> str:
        """Return a plain number as an argument."""

    @abstractmethod
    def converted(self, parameter: Parameter, spelled: str) -> str:
        """Return a 64-bit number as an argument."""

    # text

    def wrapped(self, head: str, parts: list[str], tail: str) -> str:
        """Return a list on one line, or on several where it is long."""
        whole = head + ", ".join(parts) + tail
        if len(whole) < _WIDTH - 32:
            return whole
        lines, line = [head], ""
        for part in [*(f"{part}," for part in parts[:-1]), f"{parts[-1]}{tail}"]:
            if line and len(line) + len(part) > _WIDTH - 12:
                lines.append(line)
                line = ""
            line = f"{line} {part}" if line else part
        return "\n        ".join([*lines, line])

    def words(self, move: Move) -> list[str]:
        """Return the words of a step in lines."""
        words = f"{move.number}. {move.step.call} -> {move.step.result}"
        return textwrap.wrap(one_line(words, 2000), _WIDTH - 8, break_on_hyphens=False)


def _sum(name: str, offset: int) -> str:
    if not offset:
        return name
    return f"{name} {'+' if offset > 0 else '-'} {abs(offset):#x}"
