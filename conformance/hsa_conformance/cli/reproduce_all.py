"""`reproduce --all`: the programs of all failures of a run, tried, with a Makefile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hsa_conformance.cli.errors import CommandError, status_of
from hsa_conformance.cli.processes import programs_at_once
from hsa_reports.programs import ENDS, PRESENT

if TYPE_CHECKING:
    from hsa_conformance.reproduce import Offerer
    from hsa_reports import ProgramRun, Result

_MAKEFILE: Final = """\
# `make` compiles the programs; `make check LIBRARY=PATH` runs each, and says how it ended:
# 1 the defect is there, 0 it is not, 77 the program cannot tell. RUN starts them, as in
#   make check RUN="hsa-conformance virtual-kfd run --"
CC ?= cc
LIBRARY ?= {library}
RUN ?= {run}
PROGRAMS := $(basename $(wildcard *.c))
SCRIPTS := $(wildcard *.py)

all: $(PROGRAMS)

%: %.c
\t$(CC) -std=c11 -pthread -o $@ $< -ldl

check: all
\t@for program in $(PROGRAMS); do $(RUN) ./$$program $(LIBRARY) >/dev/null 2>&1; \\
\t    echo "$$? $$program"; done
\t@for script in $(SCRIPTS); do $(RUN) python3 $$script $(LIBRARY) >/dev/null 2>&1; \\
\t    echo "$$? $$script"; done

clean:
\trm -f $(PROGRAMS)

.PHONY: all check clean
"""


@dataclass(frozen=True)
class WrittenProgram:
    """What came of one failure: the result's place in the run, and its program's file."""

    place: int
    name: str
    ran: ProgramRun


def write_all(
    results: Sequence[Result],
    offerer: Offerer,
    out: Path,
    language: str | None,
    jobs: int | None,
) -> list[WrittenProgram]:
    """Write the program of each failure, and return what came of it, in the run's order.

    Args:
        results: what the run found.
        offerer: makes and tries programs.
        out: the folder to write to.
        language: of all programs; None for what can be tried.
        jobs: how many are tried at a time; None for two by processor, since programs wait.

    Raises:
        CommandError: the folder cannot be written.

    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(
            f"cannot write {out}: {error.strerror}; name another folder", status_of(error)
        ) from None
    named = list(_named(results))

    def one(job: tuple[int, str, Result]) -> WrittenProgram:
        place, name, result = job
        assert result.failure is not None
        program = offerer.offer(result.clause, result.failure, result.machine, language)
        if program.text is not None:
            suffix = "py" if program.ran.form == "python" else "c"
            (out / f"{name}.{suffix}").write_text(program.text, encoding="utf-8")
        return WrittenProgram(place, name, program.ran)

    with ThreadPoolExecutor(jobs or programs_at_once()) as pool:
        return list(pool.map(one, named))


def write_makefile(out: Path, library: str, run: str) -> None:
    """Write the file that compiles and runs all programs of a folder."""
    (out / "Makefile").write_text(_MAKEFILE.format(library=library, run=run), encoding="utf-8")


def summary(written: Sequence[WrittenProgram]) -> list[str]:
    """Return the counts by exit status as a table, and why programs do not show a failure."""
    words: dict[object, str] = {None: "not run", "none": "no program can be made"}
    words |= dict(ENDS.items())
    counts = Counter("none" if w.ran.form == "none" else w.ran.exit for w in written)
    rows = [
        f"{key if isinstance(key, int) else '-':>4}  {counts[key]:>5}  {words.get(key, '')}"
        for key in sorted(counts, key=str)
    ]
    others = [f"{w.name}: {w.ran.why}" for w in written if w.ran.exit != PRESENT]
    return ["exit  count", *rows, *others]


def _named(results: Sequence[Result]) -> Iterator[tuple[int, str, Result]]:
    """Yield the failures with names of files, which tell those of one clause apart."""
    seen: Counter[str] = Counter()
    for place, result in enumerate(results):
        if result.failure is None:
            continue
        name = re.sub(r"[^A-Za-z0-9_-]+", ".", result.clause)
        seen[name] += 1
        yield place, f"{name}.{seen[name]}" if seen[name] > 1 else name, result
