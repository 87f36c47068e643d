"""Runs the suite on a library with one edit after another, and says which of them it notices."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from hsa_reports import Verdict
from hsa_reports.run import Run, read_run
from hsa_reports.verdicts import BROKEN
from tests.campaign.rocr_mutants.building import BuiltLibrary
from tests.wrong.command import Subject, judge
from tests.wrong.fates import Fate, Mistake, Outcome

#: Bytes of a row in the file of what was reached, one for each edit; see switches.h.
_ROW: Final = 1024
#: How many functions an edit is judged by on its own, before all are tried.
_NEAREST: Final = 8
#: What kills an edit. What did not happen again may have other causes.
_KILLING: Final = BROKEN - {Verdict.FLAKY}


class Judge:
    """Judges the edits of a library.

    Each edit is judged by the clauses of the functions that lead to it. All that survive are then
    judged together by every clause, and each of them alone by those clauses that fail, until none
    does. A run that is in the folder already is not made again.

    Args:
        built: the library.
        command: of the suite, such as "hsa-conformance".
        folder: where the runs go.
        whole: what is selected where all is judged; empty for everything.
        options: of each run, such as "--profile", "full".

    """

    def __init__(
        self,
        built: BuiltLibrary,
        command: Sequence[str],
        folder: Path,
        whole: Sequence[str] = (),
        options: Sequence[str] = (),
    ) -> None:
        self._built = built
        self._command = tuple(command)
        self._folder = folder.resolve()
        self._whole = tuple(whole)
        self._options = tuple(options)
        self._folder.mkdir(parents=True, exist_ok=True)

    def fates(self, only: Iterable[int] = ()) -> Iterator[Fate]:
        """Yield what comes of each edit, as soon as it is known.

        Args:
            only: the numbers of the edits to judge; none for all of them.

        Raises:
            SuiteError: the suite cannot be run.

        """
        chosen = set(only) or set(self._built.edits)
        survivors = []
        for number in sorted(chosen):
            functions = self._reaching.get(number)
            if functions is None:
                yield self._mistake(number).fate(Outcome.UNREACHED)
            elif by := self._killers(number, functions):
                yield self._mistake(number).fate(Outcome.BLAMED, by)
            else:
                survivors.append(number)
        yield from self._fates_together(survivors)

    def _fates_together(self, survivors: list[int]) -> Iterator[Fate]:
        """Yield what comes of edits by clauses of functions that are farther from them."""
        found = True
        while survivors and found:
            found = False
            switches = ",".join(map(str, survivors))
            clauses = self._new(self._run(f"together-{switches}", switches, self._whole))
            for number in list(survivors) if clauses else ():
                if by := self._killers(number, list(clauses), f"-farther-{switches}"):
                    survivors.remove(number)
                    found = True
                    yield self._mistake(number).fate(Outcome.BLAMED, by)
        for number in survivors:
            yield self._mistake(number).fate(Outcome.SURVIVED, why="not noticed")

    def _mistake(self, number: int) -> Mistake:
        """Return an edit as campaigns know it; a clause of any function may notice it."""
        edit = self._built.edits[number]
        return Mistake("rocr-mutants", edit.operator, f"{number} {edit}", ())

    def _killers(
        self, number: int, selected: Sequence[str], suffix: str = ""
    ) -> Mapping[str, Verdict]:
        """Return the first clauses that fail with an edit and not without."""
        if not selected:
            return {}
        against = ("--against", f"{self._folder / 'unedited-1'}", "--strict")
        # What comes and goes without an edit can end a run too early: only then is all of it made.
        for name, options in (("first", ("--fail-fast",)), ("all", ())):
            run = self._run(f"{number}{suffix}-{name}", f"{number}", selected, *options, *against)
            if (by := self._new(run)) or not any(
                v is Verdict.NOT_RUN for v in run.verdicts.values()
            ):
                return by
        return {}

    def _new(self, run: Run) -> Mapping[str, Verdict]:
        """Return the clauses that fail in a run, and that held both times without an edit."""
        return {
            clause: verdict
            for clause, verdict in run.verdicts.items()
            if verdict in _KILLING and clause in self._steady
        }

    @cached_property
    def _unedited(self) -> Sequence[Run]:
        """Return two runs of the library without an edit, which note what they reach."""
        return [
            self._run(f"unedited-{n}", "", self._whole, reached=self._folder / "reached")
            for n in (1, 2)
        ]

    @cached_property
    def _steady(self) -> frozenset[str]:
        """Return the clauses that hold without an edit, and do so twice."""
        first, second = (run.verdicts for run in self._unedited)
        return frozenset(
            clause
            for clause, verdict in first.items()
            if verdict not in BROKEN and verdict is second.get(clause)
        )

    @cached_property
    def _reaching(self) -> Mapping[int, Sequence[str]]:
        """Return, for each edit that is reached, the functions nearest to it.

        Those are the ones which lead to few edits.
        """
        judged = self._unedited[0].functions
        reached = (self._folder / "reached").read_bytes()
        rows = {
            function: [n for n in self._built.edits if reached[row * _ROW + n]]
            for row, function in {0: "", **self._built.functions}.items()
        }
        nearest = sorted(rows, key=lambda function: len(rows[function]))
        return {
            number: [f for f in nearest if f in judged and number in rows[f]][:_NEAREST]
            for number in self._built.edits
            if any(number in row for row in rows.values())
        }

    def _run(
        self,
        name: str,
        switches: str,
        selected: Iterable[str],
        *options: str,
        reached: Path | None = None,
    ) -> Run:
        """Run the suite with some switches on, unless it was before; return the run."""
        out, unfinished = self._folder / name, self._folder / f"{name}.unfinished"
        if not out.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            # Not by --env, which makes a machine of its own, with known failures of its own.
            switched = {"HSA_EDITS": switches, "HSA_EDITS_REACHED": f"{reached or ''}"}
            library = Subject(("--library", f"{self._built.library.resolve()}"), switched)
            chosen = (*self._options, *options)
            judge(library, unfinished, *chosen, select=selected, command=self._command)
            unfinished.rename(out)
        return read_run(out)
