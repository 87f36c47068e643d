"""What the suite says of a library that has what the claim says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hsa_reports import Result, Verdict
from tests.library.third_party.build import subject
from tests.wrong import command

#: Verdicts of clauses that hold, or that are not about the library.
QUIET: Final = {Verdict.PASS, Verdict.UNTESTED, Verdict.NOT_APPLICABLE}


@dataclass(frozen=True)
class JudgedRun:
    """A run: its exit status, how many clauses pass, and the verdicts that are not `QUIET`.

    The reasons for those verdicts are there to be shown where other ones were expected.
    """

    status: int
    passing: int
    verdicts: Mapping[str, Verdict]
    why: Mapping[str, Sequence[str]]

    def accused(self) -> frozenset[str]:
        """Return the clauses that the library is said to break."""
        silent = {Verdict.BLOCKED, Verdict.VACUOUS, Verdict.NOT_RUN}
        return frozenset(c for c, verdict in self.verdicts.items() if verdict not in silent)


def judge(library: Path, out: Path, *options: str) -> JudgedRun:
    """Run the suite on a library.

    Args:
        library: the runtime, compiled.
        out: where the run goes, a folder that is not there yet.
        options: of `hsa-conformance run`, such as "-n", "2".

    """
    status, seen = command.judge(subject(library), out, *options)
    verdicts = seen.verdicts
    loud = {clause: verdict for clause, verdict in verdicts.items() if verdict not in QUIET}
    why = {clause: [_why(result) for result in seen.by_clause[clause]] for clause in loud}
    return JudgedRun(status, list(verdicts.values()).count(Verdict.PASS), loud, why)


def _why(result: Result) -> str:
    failure = result.failure
    if failure is None:
        return f"{result.check}: {result.verdict} {result.reason or ''}"
    steps = "\n".join(f"{step}" for step in failure.steps)
    return f"{result.check}: {failure.summary}\n{steps}"
