"""Takes praise and blame from what an imitation of the driver, or of others, decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from hsa_reports import Result, ValueResult, Verdict
from hsa_spec import DecidedBy, Registry, Release
from hsa_spec.deciding import decider

#: Verdicts that rest on what was answered, or never came; a crash is a crash, whoever answered.
_ANSWERS = (Verdict.PASS, Verdict.FAIL, Verdict.WARN, Verdict.UNDOCUMENTED, Verdict.HANG)
#: Verdicts on a process that ended; no runtime is on the way to the profiler's own code.
_ENDS = (Verdict.CRASH, Verdict.FRAGILE)
#: Whoever is imitated on each machine that is.
BENEATH: Final = frozenset({DecidedBy.DRIVER, DecidedBy.DEVICE})


@dataclass(frozen=True)
class Imitation:
    """Knows who decides what results are about.

    Args:
        registry: the specification.
        release: the release that is judged.
        imitated: who decides things and is an imitation.

    """

    registry: Registry
    release: Release
    imitated: frozenset[DecidedBy] = BENEATH

    def discount(self, result: Result) -> Result:
        """Return a result without praise or blame for what an imitation decides.

        Args:
            result: of a check on an imitated machine.

        """
        values = tuple(self._value(result, tried) for tried in result.values)
        result = replace(result, values=values)
        by = self._decider(result)
        answers = (*_ANSWERS, *_ENDS) if by is DecidedBy.PROFILER else _ANSWERS
        if by not in self.imitated or result.verdict not in answers:
            return result
        reason = f"the {by} decides this, and it is an imitation"
        if result.failure:
            reason += f"; {by} or library: here it would be {result.verdict}: {result.reason}"
        return replace(result, verdict=Verdict.IMITATED, reason=reason)

    def _decider(self, result: Result) -> DecidedBy:
        if result.decided_by is not None:
            return DecidedBy(result.decided_by)
        by = self._of(result.clause, (result.value or "").partition("=")[2])
        held = [tried for tried in result.values if tried.reached]
        if result.verdict is Verdict.PASS and held and by not in self.imitated:
            return self._of_all(result.clause, held)
        return by

    def _of_all(self, clause: str, values: Iterable[ValueResult]) -> DecidedBy:
        """Return who decides a clause that holds for values: whoever is real, if that is any."""
        deciders = [self._of(clause, tried.value) for tried in values]
        return next((by for by in deciders if by not in self.imitated), deciders[0])

    def _value(self, result: Result, tried: ValueResult) -> ValueResult:
        """Return what came of a value, and whether that is praise for the library."""
        by = self._of(result.clause, tried.value)
        if tried.outcome != "judged" or by not in self.imitated:
            return tried
        return replace(tried, outcome="imitated", reason=f"the {by} decides it")

    def _of(self, clause: str, value: str) -> DecidedBy:
        return decider(self.registry, self.registry.clauses[clause], self.release, value)
