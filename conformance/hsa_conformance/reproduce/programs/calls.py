"""How calls and their arguments are spelled, whatever the language."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from hsa_adapters.signatures import code
from hsa_conformance.reproduce.plans.assumptions import presumed
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Move, Plan
from hsa_conformance.reproduce.programs.lines import wrapped
from hsa_conformance.reproduce.programs.values import SpelledValues
from hsa_reports.actions import Call, Given, Start
from hsa_reports.operands import Callback, InnerCall, Memory, Number, Output, Value
from hsa_spec import Parameter, Registry


@dataclass(frozen=True)
class CallInside:
    """A call that a callback makes.

    Attributes:
        array: the name of the array of its arguments.
        numbers: the arguments, and the address of the function, if it has no symbol.
        text: the call, with its arguments taken from the array.

    """

    array: str
    numbers: tuple[str, ...]
    text: str


class SpelledCalls(SpelledValues):
    """Spells the calls of one plan, too; see `SpelledValues`.

    Attributes:
        callbacks: the callbacks that were used, by the names that they got.
        inside: what they call, by the same names.

    """

    def __init__(self, plan: Plan, registry: Registry) -> None:
        super().__init__(plan, registry)
        self.callbacks: dict[str, Callback] = {}
        self.inside: dict[str, tuple[CallInside, ...]] = {}

    # calls

    def checked(self, call: Call | Start) -> bool:
        """Return whether the answer of a call is a status."""
        return self.result(call) == "hsa_status_t"

    def presumed(self, call: Call) -> tuple[Given, ...]:
        """Return the outputs of an earlier call that have to be as recorded."""
        return presumed(call, self.plan.demand)

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

    def memory(self, move: Move, parameter: str) -> Memory:
        """Return the whole memory that a call is given for an input."""
        [found] = [v for p, v in self.given(move) if p.name == parameter]
        assert isinstance(found, Memory), "the demand was compared with the step"
        return replace(found, offset=0)

    def given(self, move: Move) -> list[tuple[Parameter, Value]]:
        """Return the parameters of a call with their values."""
        assert isinstance(move.action, Call | Start)
        return self.paired(move.action, move)

    def paired(self, call: Call | Start, move: Move) -> list[tuple[Parameter, Value]]:
        """Return the parameters of one of the calls of a move with their values."""
        params = self.registry.functions[call.function].params
        if len(params) != len(call.arguments):
            raise CannotReproduce(f"step {move.number} has another number of arguments")
        return list(zip(params, call.arguments, strict=True))

    def call(self, move: Move) -> str:
        """Return a call."""
        assert isinstance(move.action, Call | Start)
        arguments = [self.argument(p, v, move) for p, v in self.given(move)]
        return self.called(move.action.function, arguments, self.where(move.action))

    def called(self, name: str, spelled: list[str], address: str | None) -> str:
        """Return a call with its arguments, by the function's symbol or by its address."""
        function = self.symbol(name) if address is None else self.member(name, address)
        return wrapped(f"{function}(", spelled, ")")

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
        pointed = move.action.address is not None
        return self.called(move.action.function, arguments, address if pointed else None)

    def array(self, move: Move) -> str:
        """Return the name of the array of a call in a thread."""
        return f"arguments_{move.number}"

    def calls_made(self, move: Move) -> str:
        """Return the name of the number of calls that a thread has made."""
        return f"made_{move.number}"

    # arguments

    def argument(self, parameter: Parameter, value: Value, move: Move) -> str:
        """Return an argument of a call."""
        match value:
            case Output():
                return self.address(self.room(move, parameter.name))
            case Callback():
                return self.callback(f"{parameter.name}_{move.number}", value, move)
            case _:
                return self.plain(parameter, value)

    def callback(self, name: str, value: Callback, move: Move) -> str:
        """Return the name of a callback, which is defined by that."""
        kind = self.registry.callbacks.get(value.type)
        if kind is None:
            raise CannotReproduce(f"this version's registry does not know {value.type}")
        if kind.result.endswith("*") and any(value.returns):
            raise CannotReproduce(
                f"in step {move.number} a callback answers an address that meant something "
                "in the run alone"
            )
        if value.until is not None:
            raise CannotReproduce(
                f"in step {move.number} a callback waits for what another thread does"
            )
        self.inside[name] = tuple(
            self._inside(f"{name}_{number}", call, move)
            for number, call in enumerate(value.calls, 1)
        )
        self.callbacks[name] = value  # after those of the calls, which it names
        return name

    def _inside(self, array: str, call: InnerCall, move: Move) -> CallInside:
        made = Call(call.function, call.arguments, None, address=call.address)
        spelled: list[str] = []
        numbers: list[str] = []
        for parameter, value in self.paired(made, move):
            if isinstance(value, Callback):
                spelled.append(self.callback(f"{parameter.name}_of_{array}", value, move))
                continue
            spelled.append(self.converted(parameter, f"{array}[{len(numbers)}]"))
            numbers.append(self._room(value) if isinstance(value, Output) else self.value(value))
        address = None if call.address is None else f"{array}[{len(numbers)}]"
        numbers += [] if call.address is None else [self.value(call.address)]
        return CallInside(array, tuple(numbers), self.called(call.function, spelled, address))

    def _room(self, output: Output) -> str:
        return f"room(GUARD + {self.literal(output.size)} + GUARD, PATTERN) + GUARD"

    def filled(self, move: Move) -> list[CallInside]:
        """Return what the callbacks of a move call, whose arguments are to be put in place."""
        if not isinstance(move.action, Call):
            return []
        for parameter, value in self.given(move):
            if isinstance(value, Callback) and value.calls:
                self.argument(parameter, value, move)
                return list(self.inside[f"{parameter.name}_{move.number}"])
        return []

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
