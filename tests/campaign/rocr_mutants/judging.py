"""Runs the suite on a library with one edit after another, and says which of them it notices."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from hsa_reports import Verdict
from hsa_reports.run import Run, read_run
from hsa_reports.verdicts import BROKEN
from tests.campaign.rocr_mutants.building import BuiltLibrary
from tests.wrong.command import Subject, SuiteError, judge
from tests.wrong.fates import Fate, Mistake, Outcome

#: Bytes of a row in the file of what was reached, one for each edit; see switches.h.
_ROW: Final = 1024
#: How many functions an edit is judged by on its own, before all are tried.
_NEAREST: Final = 8
#: How long the name of a run may be, which a file system limits.
_LONGEST: Final = 120
#: What all calls need.
_STARTING: Final = "hsa_init"
#: What kills an edit. What did not happen again may have other causes.
_KILLING: Final = BROKEN - {Verdict.FLAKY}


class Judge:
    """Judges the edits of a library.

    Edits to which no function leads in common are judged together, by the clauses of the functions
    that lead to them, and all that survive then by every clause. What fails together has to fail
    again with one edit alone, which it kills; the others are judged again, until none is killed. A
    run that is in the folder already is not made again.

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
            SuiteError: the suite cannot be run, or not to its end.

        """
        chosen = sorted(set(only) or set(self._built.edits))
        for number in chosen:
            if number not in self._reaching:
                yield self.mistake(number).fate(Outcome.UNREACHED)
        survivors = []
        for group in disjoint({n: self._reaching[n] for n in chosen if n in self._reaching}):
            yield from self._fates_of(group, near=True)
            survivors += group
        survivors.sort()
        yield from self._fates_of(survivors, near=False)
        for number in survivors:
            yield self.mistake(number).fate(Outcome.SURVIVED, why="not noticed")

    def _fates_of(self, group: list[int], *, near: bool) -> Iterator[Fate]:
        """Judge edits together, and yield the fates of those that are blamed.

        These leave the group, which is judged again without them until none is blamed: one edit may
        hide another.

        Args:
            group: the numbers of the edits.
            near: whether they are judged by the nearest functions that lead to them, and otherwise
                by every clause.

        """
        found = True
        while found:
            found = False
            functions = self._nearest(group) if near else self._whole
            if not group or (near and not functions):
                return
            name, switches = f"{'near' if near else 'far'}-{_name(group)}", _switches(group)
            run = self._run(name, switches, functions, *self._known)
            if Verdict.NOT_RUN in run.verdicts.values():
                raise SuiteError(f"{self._folder / name} ended early: remove it, and raise --limit")
            clauses = self._new(run)
            for number in list(group):
                leading = [c for c in clauses if not near or self._leads(c, number)]
                if by := self._killers(number, leading, name):
                    group.remove(number)
                    found = True
                    yield self.mistake(number).fate(Outcome.BLAMED, by)

    def _nearest(self, group: Iterable[int]) -> Sequence[str]:
        """Return the functions that lead to edits, of each edit the nearest ones."""
        return sorted({f for number in group for f in self._reaching[number][:_NEAREST]})

    def _leads(self, clause: str, number: int) -> bool:
        """Return whether the function that a clause is about leads to an edit, or it is a rule."""
        about = clause.partition("/")[0]
        return about in self._reaching[number] or about not in self._built.functions.values()

    def mistake(self, number: int) -> Mistake:
        """Return an edit as campaigns know it; a clause of any function may notice it."""
        edit = self._built.edits[number]
        return Mistake("rocr-mutants", edit.operator, f"{number} {edit}", ())

    def _killers(
        self, number: int, selected: Sequence[str], suspected: str
    ) -> Mapping[str, Verdict]:
        """Return the first clauses that fail with an edit and not without.

        Args:
            number: the number of the edit, which is alone.
            selected: the clauses.
            suspected: the name of the run in which they failed.

        """
        selected = [clause for clause in selected if clause in self._steady]
        # What comes and goes without an edit can end a run too early: only then is all of it made.
        ways = iter((("first", ("--fail-fast",)), ("all", ())))
        while selected and (way := next(ways, None)):
            name, options = way
            run = self._run(
                f"{number}-of-{suspected}-{name}", f"{number}", selected, *options, *self._known
            )
            by = self._new(run)
            if by:
                # What shows now and then without an edit kills none.
                control = self._run(
                    f"{number}-of-{suspected}-{name}-unedited", "", by, *self._known
                )
                self._steady -= self._new(control).keys()
                selected = [clause for clause in selected if clause in self._steady]
                by = self._new(run)
            if by or not any(v is Verdict.NOT_RUN for v in run.verdicts.values()):
                return by
        return {}

    def _new(self, run: Run) -> Mapping[str, Verdict]:
        """Return the clauses that fail in a run, and not in the same way each time without an edit.

        A run knows how a clause fails without an edit: it fails where it does so otherwise.
        """
        return {
            clause: verdict
            for clause, verdict in run.verdicts.items()
            if verdict in _KILLING and clause in self._steady
        }

    @property
    def _known(self) -> Sequence[str]:
        """Return options by which a run takes no time for what fails without an edit, too."""
        return ("--against", f"{self._folder / 'unedited-1'}", "--strict")

    @cached_property
    def _unedited(self) -> Sequence[Run]:
        """Return two runs of the library without an edit, which note what they reach."""
        return [
            self._run(f"unedited-{n}", "", self._whole, reached=self._folder / "reached")
            for n in (1, 2)
        ]

    @cached_property
    def _steady(self) -> frozenset[str]:
        """Return the clauses that have the same verdict twice without an edit."""
        first, second = (run.verdicts for run in self._unedited)
        return frozenset(c for c, verdict in first.items() if verdict is second.get(c))

    @cached_property
    def _reaching(self) -> Mapping[int, Sequence[str]]:
        """Return, for each edit that is reached, the functions that lead to it.

        The nearest are first: those which lead to few edits.
        """
        judged = self._unedited[0].functions
        reached = (self._folder / "reached").read_bytes()
        rows = {
            function: [n for n in self._built.edits if reached[row * _ROW + n]]
            for row, function in {0: "", **self._built.functions}.items()
        }
        nearest = sorted(rows, key=lambda function: len(rows[function]))
        return {
            number: [f for f in nearest if f in judged and number in rows[f]]
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


def disjoint(reaching: Mapping[int, Collection[str]]) -> list[list[int]]:
    """Return groups of edits, within which no function leads to two.

    An edit to which `hsa_init` leads is alone: it can break all that a runtime does.

    Args:
        reaching: the functions that lead to each edit.

    """
    groups: list[tuple[list[int], set[str]]] = []
    alone = [[number] for number, functions in reaching.items() if _STARTING in functions]
    for number, functions in reaching.items():
        if _STARTING in functions:
            continue
        free = (group for group in groups if group[1].isdisjoint(functions))
        members, taken = next(free, ([], set()))
        if not members:
            groups.append((members, taken))
        members.append(number)
        taken |= {*functions}
    return [*alone, *(members for members, _ in groups)]


def _switches(numbers: Iterable[int]) -> str:
    """Return what turns edits on: their numbers."""
    return ",".join(map(str, numbers))


def _name(numbers: Sequence[int]) -> str:
    """Return the name of a run with edits: their numbers, where these are short."""
    switches = _switches(numbers)
    digest = sha256(switches.encode()).hexdigest()[:12]
    return switches if len(switches) <= _LONGEST else f"{len(numbers)}-{digest}"
