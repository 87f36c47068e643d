"""A library with wrong functions: the reference, with Python functions in the place of some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hsa_adapters import InProcessAdapter
from hsa_conformance.reference_requests import refusers
from hsa_reference import Runtime, load_machine, memory
from hsa_reference.requests import REQUESTS
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.inside import results

Function = Callable[..., int]
Functions = Mapping[str, Function]
#: Gets the right functions, and returns wrong ones.
Mistake = Callable[[Functions], dict[str, Function]]
#: By what is called wrongly: where it is found, the mistake, and which clauses may be blamed.
Cases = Mapping[str, tuple[str, Mistake, set[str]]]

SUCCESS = 0
PAGE = 4096


def handle_at(place: int) -> int:
    """Return the handle at an address."""
    return memory.load(place, 8)


def honest(_: Functions) -> dict[str, Function]:
    """Make no mistake."""
    return {}


def of(mistake: Callable[..., dict[str, Function]], *names: str) -> Mistake:
    """Return a mistake in certain functions."""
    return lambda functions: mistake(functions, *names)


@dataclass
class Library(Mapping[str, Function]):
    """The functions of a reference, some of them with a mistake."""

    right: Functions
    wrong: dict[str, Function]

    def __getitem__(self, name: str) -> Function:
        return self.wrong.get(name) or self.right[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.right)

    def __len__(self) -> int:
        return len(self.right)


def mistaken(
    registry: Registry, mistake: Mistake, on: str = "two_gpus", *, refused: bool = False
) -> InProcessAdapter:
    """Return a reference with a mistake.

    Args:
        registry: the specification.
        mistake: the mistake.
        on: the name of its machine.
        refused: whether what it asks for can be refused.

    """
    machine = load_machine(on, registry)
    faults, memory = refusers(REQUESTS) if refused else (None, None)

    def make() -> Library:
        right = Runtime(machine, registry).functions()
        return Library(right, mistake(right))

    return InProcessAdapter("mistaken", make, registry, faults=faults, memory=memory)


def verdicts(registry: Registry, mistake: Mistake, clause: str) -> set[Verdict]:
    """Return what a reference with a mistake gets for a clause."""
    found = results(mistaken(registry, mistake), registry, clause)
    return {Verdict(result.verdict) for result in found}
