"""How far a new runtime is: how it stands on each level, and what is to be written next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hsa_reports.run import NO_FAILURE, Run
from hsa_reports.verdicts import Verdict, rank
from hsa_spec import Function
from hsa_spec.ladder import Level

#: What a level may find where it holds: an imitation says nothing against a runtime.
_KEEPS = NO_FAILURE | {Verdict.XFAIL, Verdict.IMITATED}


@dataclass(frozen=True)
class LevelResult:
    """How a runtime stands on one level.

    Attributes:
        level: the level.
        wanted: the functions of the level that it is to have.
        missing: those of them that it does not export yet.
        verdicts: what was found about the clauses of the level that apply.
        strict: broken `should` clauses count as well.

    """

    level: Level
    wanted: tuple[Function, ...]
    missing: tuple[Function, ...]
    verdicts: Mapping[str, Verdict]
    strict: bool

    @cached_property
    def broken(self) -> tuple[str, ...]:
        """Return the clauses that fail, or could not be judged for what another one broke."""
        found = [c for c, verdict in self.verdicts.items() if self._breaks(verdict)]
        return tuple(sorted(found, key=lambda clause: rank(self.verdicts[clause])))

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Return the clauses that were never reached, or whose condition never came up."""
        return tuple(
            clause
            for clause, verdict in self.verdicts.items()
            if verdict not in _KEEPS and not self._breaks(verdict)
        )

    @property
    def holds(self) -> bool:
        """Return whether nothing is left to be done, and what is wanted was judged."""
        judged = bool(self.verdicts) or not self.wanted
        return judged and not (self.missing or self.broken or self.unjudged)

    @property
    def known(self) -> bool:
        """Return whether a clause fails as the baseline says."""
        return Verdict.XFAIL in self.verdicts.values()

    @property
    def applies(self) -> bool:
        """Return whether anything was judged, and holds."""
        return Verdict.PASS in self.verdicts.values()

    def _breaks(self, verdict: Verdict) -> bool:
        return verdict is Verdict.BLOCKED or verdict.fails(strict=self.strict)


def level_results(
    run: Run, levels: Sequence[Level], wanted: Collection[str]
) -> tuple[LevelResult, ...]:
    """Return how the implementation of a run stands on each level.

    Args:
        run: what was found.
        levels: those that it was judged by, in their order.
        wanted: the names of the functions that it is to have.

    """
    exports = set(run.started.subject.exports)
    return tuple(
        LevelResult(
            level,
            wanted=tuple(functions := [f for f in level.functions if f.name in wanted]),
            missing=tuple(f for f in functions if f.name not in exports),
            verdicts={
                clause: verdict
                for clause, verdict in run.verdicts.items()
                if clause in level.clauses and verdict is not Verdict.NOT_APPLICABLE
            },
            strict=run.started.strict,
        )
        for level in levels
    )


def next_level(found: Sequence[LevelResult]) -> LevelResult | None:
    """Return the first level that does not hold, None where all do."""
    return next((result for result in found if not result.holds), None)
