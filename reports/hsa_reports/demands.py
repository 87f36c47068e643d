"""What the last step of a failure had to do, as far as a program can tell."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reports.operands import Value
from hsa_reports.terms import Apply


@dataclass(frozen=True)
class Answers:
    """The last call has to answer one of these statuses."""

    statuses: tuple[str, ...]


@dataclass(frozen=True)
class Survives:
    """The process has to survive the last call."""


@dataclass(frozen=True)
class Fills:
    """The last call, when it answers SUCCESS, has to write this output."""

    parameter: str


@dataclass(frozen=True)
class StaysWithin:
    """The last call must not write before or behind this output."""

    parameter: str


@dataclass(frozen=True)
class LeavesAlone:
    """The last call must not change the memory of this input."""

    parameter: str


@dataclass(frozen=True)
class Gives:
    """The last call has to answer SUCCESS and to give one of these contents in this output."""

    parameter: str
    contents: tuple[bytes, ...]


@dataclass(frozen=True)
class Returns:
    """The last call, whose result is no status, has to return one of these values."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Shows:
    """The last look at memory has to show these bytes, or None: to be refused."""

    content: bytes | None


@dataclass(frozen=True)
class Permits:
    """The last look at memory, or write to it, has to be done, or refused."""

    done: bool


@dataclass(frozen=True)
class Exports:
    """The library has to have the symbol of the last step."""


@dataclass(frozen=True)
class Holds:
    """A relation between what the steps gave has to hold after the last one, which succeeds."""

    relation: Apply


@dataclass(frozen=True)
class AsAlone:
    """The function's calls in the last step, by threads, have to answer as those of one thread."""

    function: str


@dataclass(frozen=True)
class InheritsNothing:
    """A program that the process executes after the last step has no descriptor but the given."""

    given: tuple[Value, ...]


@dataclass(frozen=True)
class KeepsNothing:
    """The last steps, made in equal rounds, must not leave more behind after each round.

    Args:
        steps: how many steps a round has.
        things: what must not grow, as `hsa_adapters.worker.resources.ledger` names it. Where it is
            none of these, the steps succeed in the first rounds and lack resources in a later one.

    """

    steps: int
    things: tuple[str, ...]


Demand = (
    KeepsNothing
    | AsAlone
    | InheritsNothing
    | Holds
    | Answers
    | Survives
    | Fills
    | StaysWithin
    | LeavesAlone
    | Gives
    | Returns
    | Shows
    | Permits
    | Exports
)
