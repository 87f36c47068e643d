"""Which clauses of a function explain an answer, or leave a call undefined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hsa_spec import Clause, Function, Kind, Strength, World
from hsa_spec.conditions import Holds, compile_atom

#: Answers that say nothing of the client: it can do everything right and get them.
_NO_MISTAKES = frozenset(
    f"HSA_STATUS_{name}"
    for name in (
        "SUCCESS",
        "INFO_BREAK",
        "ERROR",
        "ERROR_OUT_OF_RESOURCES",
        "ERROR_OUT_OF_REGISTERS",
        "ERROR_RESOURCE_BUSY",
        "ERROR_NOT_SUPPORTED",
        "ERROR_FATAL",
        "ERROR_EXCEPTION",
        "ERROR_ILLEGAL_INSTRUCTION",
        "ERROR_MEMORY_APERTURE_VIOLATION",
        "ERROR_MEMORY_FAULT",
        # Whether there is such a name is what the client asks.
        "ERROR_INVALID_ISA_NAME",
        "ERROR_INVALID_SYMBOL_NAME",
    )
)


@dataclass(frozen=True)
class Explanation:
    """Why a call was wrong: clauses that hold, or that may hold where nobody knows."""

    holding: tuple[Clause, ...]
    possible: tuple[Clause, ...]


@dataclass(frozen=True)
class _CompiledClause:
    clause: Clause
    atoms: tuple[Holds, ...]

    def holds(self, world: World, args: Sequence[int]) -> bool | None:
        """Return whether the condition holds, None where that cannot be known."""
        known = True
        for atom in self.atoms:
            answer = _decided(atom, world, args)
            if answer is False:
                return False
            known = known and answer is not None
        return True if known else None


def is_mistake(status: str) -> bool:
    """Return whether a status says that the client did something wrong."""
    return status.startswith("HSA_STATUS_ERROR") and status not in _NO_MISTAKES


class Clauses:
    """The clauses of a function, asked about its calls.

    Args:
        function: the function.

    """

    def __init__(self, function: Function) -> None:
        self._function = function

    def explain(self, status: str, world: World, args: Sequence[int]) -> Explanation | None:
        """Return why a call was answered with a status, None where no clause has a reason."""
        answering = [c for c in self._compiled if status in c.clause.status]
        judged = [(c.clause, c.holds(world, args)) for c in answering]
        holding = tuple(c for c, answer in judged if answer)
        # What the application's own function answered may be what the call answers.
        asks = any(p.type.startswith("callback:") for p in self._function.params)
        possible = tuple(c for c, answer in judged if answer is None and not asks)
        if holding or possible:
            return Explanation(holding, () if holding else possible)
        return None

    def undefined(self, world: World, args: Sequence[int]) -> Clause | None:
        """Return the clause that leaves a call undefined, if one is known to hold."""
        return next((c.clause for c in self._undefined if c.holds(world, args)), None)

    def about(self, words: Iterable[str]) -> Clause | None:
        """Return the first clause with one of these names, or with one of these conditions."""
        for word in words:
            for clause in self._function.clauses:
                if clause.strength is Strength.OBSERVED or clause.is_success:
                    continue
                if word == clause.slug or any(word == a.text for a in clause.when):
                    return clause
        return None

    @cached_property
    def _undefined(self) -> tuple[_CompiledClause, ...]:
        return tuple(c for c in self._compiled if c.clause.strength is Strength.UNDEFINED)

    @cached_property
    def _compiled(self) -> tuple[_CompiledClause, ...]:
        names = [p.name for p in self._function.params]
        return tuple(
            _CompiledClause(clause, tuple(compile_atom(a, names) for a in clause.when))
            for clause in self._function.clauses
            if clause.when
            and (clause.kind is Kind.STATUS or clause.strength is Strength.UNDEFINED)
            and clause.strength is not Strength.OBSERVED
            and not clause.is_success
            and not _ended(clause)
        )


def _ended(clause: Clause) -> bool:
    versions = clause.versions
    return any((versions.until_rocm, versions.until_interface, versions.until_hsa))


def _decided(atom: Holds, world: World, args: Sequence[int]) -> bool | None:
    try:
        return atom(world, args)
    except Exception:  # a question that this world cannot answer, or about memory that is not there
        return None
