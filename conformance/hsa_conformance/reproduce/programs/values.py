"""How names, values and terms are spelled, whatever the language."""

from __future__ import annotations

import errno
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from hsa_adapters.virtual_kfd.faults import calls
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Plan
from hsa_reports.actions import Refuse
from hsa_reports.operands import Agent, Before, Listed, Memory, Named, Number, Pool, Taken, Value
from hsa_reports.terms import Apply, Counted, Held, Term
from hsa_spec import Registry


class SpelledValues(ABC):
    """Spells the values of one plan, and keeps in mind what they need to be defined.

    Args:
        plan: what is spelled.
        registry: the specification.

    Attributes:
        constants: the names of the API that were used, with their values.

    """

    #: How the language writes "and" and "or".
    words_of: ClassVar[Mapping[str, str]]

    def __init__(self, plan: Plan, registry: Registry) -> None:
        self.plan = plan
        self.registry = registry
        self.constants: dict[str, int] = {}

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
            case Before(parameter):
                raise CannotReproduce(
                    f"a thread goes on with what its call before gave: {parameter}"
                )
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

    def count(self, value: Counted) -> str:
        """Return the variable of how many handles are listed."""
        return f"count{self.plan.counted.index(value) + 1}"

    def refusal(self, action: Refuse) -> str:
        """Return the arguments that make the imitated driver fail.

        Raises:
            CannotReproduce: this version's imitation has no such call, or there is no such error.

        """
        number, error = calls().get(action.call), getattr(errno, action.error, None)
        if number is None or error is None:
            raise CannotReproduce(f"no driver's call {action.call} can fail with {action.error}")
        return f"{number:#x}, {action.after}, {error}, {int(action.lasting)}"


def _sum(name: str, offset: int) -> str:
    if not offset:
        return name
    return f"{name} {'+' if offset > 0 else '-'} {abs(offset):#x}"
