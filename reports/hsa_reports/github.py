"""A run as annotations of GitHub Actions: a line of standard output for each failure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsa_reports.counting import clause_count
from hsa_reports.headline import headline
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import rank
from hsa_reports.words import english, why
from hsa_spec import Registry

MOST = 10
"""How many annotations of a kind GitHub shows of a step, the first ones."""

_MESSAGE = re.compile("[%\r\n]")
_PROPERTY = re.compile("[%\r\n:,]")


def render_github(run: Run, registry: Registry, file: str | None = None) -> str:
    """Return the commands that make an annotation of each clause that fails unexpectedly.

    What makes the run fail is an error, another broken clause a warning, and how the run ended a
    notice, or an error where it was not carried out. Of each kind the worst come first, and the
    last one says how many more there are.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.
        file: a path in the repository to attach them to; None for annotations of the run alone.

    """
    strict = run.started.strict
    unexpected = [c for c, v in run.verdicts.items() if v.fails(strict=True)]
    unexpected.sort(key=lambda clause: rank(run.verdicts[clause]))
    errors = [c for c in unexpected if run.verdicts[c].fails(strict=strict)]
    warned = [c for c in unexpected if c not in errors]
    carried_out = run.end is not None and run.end.exit_status in (0, 1)
    end = _command("notice" if carried_out else "error", "HSA", headline(run, registry).text, file)
    return "".join(
        f"{line}\n"
        for line in (
            *_annotations("error", errors, run, registry, file, MOST - (not carried_out)),
            *_annotations("warning", warned, run, registry, file, MOST),
            end,
        )
    )


def _annotations(
    kind: str, clauses: list[str], run: Run, registry: Registry, file: str | None, most: int
) -> Iterator[str]:
    shown = clauses if len(clauses) <= most else clauses[: most - 1]
    for clause in shown:
        title = f"{run.verdicts[clause]} {clause}"
        yield _command(kind, title, "\n".join(_lines(run, clause, registry)), file)
    if left := len(clauses) - len(shown):
        yield _command(kind, "HSA", f"{clause_count(left)} more: see the report", file)


def _lines(run: Run, clause: str, registry: Registry) -> Iterator[str]:
    yield one_line(why(run, clause))
    yield one_line(english(clause, registry), 1000)
    if failure := run.by_clause[clause][0].failure:
        yield f"reproduce: {one_line(failure.reproduce, 1000)}"


def _command(kind: str, title: str, text: str, file: str | None) -> str:
    properties = {"file": file, "title": one_line(title)}
    said = ",".join(f"{k}={_escaped(_PROPERTY, v)}" for k, v in properties.items() if v)
    return f"::{kind} {said}::{_escaped(_MESSAGE, text)}"


def _escaped(special: re.Pattern[str], text: str) -> str:
    """Return a text with the numbers of characters that would end a command or a property."""
    return special.sub(lambda found: f"%{ord(found[0]):02X}", text)
