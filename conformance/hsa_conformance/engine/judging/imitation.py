"""Takes praise and blame from what an imitation of the driver or of the devices decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hsa_reports import Result, ValueResult, Verdict
from hsa_spec import DecidedBy, Registry, Release
from hsa_spec.deciding import decider

#: Verdicts that rest on what was answered, or never came; a crash is a crash, whoever answered.
_ANSWERS = (Verdict.PASS, Verdict.FAIL, Verdict.WARN, Verdict.UNDOCUMENTED, Verdict.HANG)


@dataclass(frozen=True)
class Imitation:
    """Knows who decides what results are about.

    Args:
        registry: the specification.
        release: the release that is judged.

    """

    registry: Registry
    release: Release

    def discount(self, result: Result) -> Result:
        """Return a result without praise or blame for what the runtime does not decide.

        Args:
            result: of a check on an imitated machine.

        """
        values = tuple(self._value(result, tried) for tried in result.values)
        result = replace(result, values=values)
        by = self._decider(result)
        if by is DecidedBy.RUNTIME or result.verdict not in _ANSWERS:
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
        if result.verdict is Verdict.PASS and held and by is DecidedBy.RUNTIME:
            return self._of_all(result.clause, held)
        return by

    def _of_all(self, clause: str, values: Iterable[ValueResult]) -> DecidedBy:
        """Return who decides a clause that holds for values: the runtime, if it decides any."""
        deciders = [self._of(clause, tried.value) for tried in values]
        return DecidedBy.RUNTIME if DecidedBy.RUNTIME in deciders else deciders[0]

    def _value(self, result: Result, tried: ValueResult) -> ValueResult:
        """Return what came of a value, and whether that is praise for the library."""
        by = self._of(result.clause, tried.value)
        if tried.outcome != "judged" or by is DecidedBy.RUNTIME:
            return tried
        return replace(tried, outcome="imitated", reason=f"the {by} decides it")

    def _of(self, clause: str, value: str) -> DecidedBy:
        return decider(self.registry, self.registry.clauses[clause], self.release, value)
