"""What the languages that programs are written in have in common."""

from __future__ import annotations

from mmap import PAGESIZE

from hsa_conformance.engine.calls.values import GUARD, PATTERN
from hsa_conformance.reproduce.plans.plan import CannotReproduce, Plan
from hsa_conformance.reproduce.programs.calls import SpelledCalls
from hsa_conformance.reproduce.programs.lines import wrapped
from hsa_reports.operands import Callback, Listed, Memory
from hsa_reports.terms import Counted
from hsa_spec import CallbackType, Registry


class Spelling(SpelledCalls):
    """Spells all that a program of one plan has; see `SpelledCalls`.

    Attributes:
        listed_handles: the handles that are listed again, by name.

    """

    pattern, guard = PATTERN, GUARD

    def __init__(self, plan: Plan, registry: Registry) -> None:
        super().__init__(plan, registry)
        self.listed_handles: dict[str, Listed] = {}

    def name_likely(self) -> None:
        """Name the statuses that are documented or allowed, so that a line can tell any of them."""
        called = (*self.plan.functions, *self.plan.members)
        documented = [status for f in called for status in f.documented]
        allowed = [a.status for a in self.plan.failure.allowed]
        for status in (*documented, *allowed):
            if status in self.registry.constants:
                self.constant(status)

    def laid_out(self, block: Memory) -> str:
        """Return the address of room for a block, which is full of zeros."""
        size = self.literal(block.size)
        if block.again is not None:
            return f"cleared(block{block.again}, {size})"
        if block.at_end:
            return f"room_at_end({size})"
        if block.size >= PAGESIZE:
            return f"room_behind({size}, {block.past})"
        return f"room({size}, 0)"

    def source(self, block: Memory) -> str:
        """Return the address of what a block is copied from."""
        assert block.copied is not None
        if block.copied in self.plan.shared:
            return f"shared + {self.plan.shared[block.copied]}"
        return block.copied

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
        return wrapped(f"{function}(", spelled, ")")

    def looker(self, value: Listed | Counted) -> str:
        """Return the name of the callback that looks for a listed handle, or counts them."""
        if isinstance(value, Counted):
            return f"add_to_{self.count(value)}"
        self.listed_handles[value.name] = value
        return f"look_for_{value.name}"

    def listed_by(self, value: Listed | Counted) -> CallbackType:
        """Return the type of the callback that a listed handle is given to."""
        kind = next(a.type for a in value.arguments if isinstance(a, Callback))
        if kind not in self.registry.callbacks:
            raise CannotReproduce(f"this version's registry does not know {kind}")
        return self.registry.callbacks[kind]

    def asked(self, value: Counted, handle: str, room: str) -> str:
        """Return the call that asks a listed handle, whose answer is written to a room."""
        params = self.registry.functions[value.query or ""].params
        if len(params) != 3:
            raise CannotReproduce(f"{value.query} has another number of arguments")
        attribute = self.number(params[1], value.attribute)
        return wrapped(f"{self.symbol(value.query or '')}(", [handle, attribute, room], ")")
