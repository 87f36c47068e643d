"""A run on the terminal: the table of `check`, and the lines that end a run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from hsa_reports.by_set import State, assumed, set_results, telling
from hsa_reports.causes import Cause, Explanation, causes_of
from hsa_reports.cautions import warnings
from hsa_reports.counting import clause_count, count_list
from hsa_reports.headline import headline
from hsa_reports.programs import ENDS
from hsa_reports.run import EFFECTS, EXPORT, UNKNOWN, Run
from hsa_reports.text import columns, one_line, wrapped
from hsa_reports.verdicts import JUDGED, Verdict
from hsa_reports.words import short_status, tried
from hsa_spec import Kind, Registry
from hsa_spec.model import ANYTHING

HEAVIEST = 5
"""How many causes of failures end a run on the terminal."""

TONES = {"good": "green", "bad": "bold red", "open": "yellow", "nothing": "bold yellow"}


def console(stream: TextIO) -> Console:
    """Return a console that writes plain text unless the stream is a terminal that wants colour.

    Args:
        stream: where to write. Colour is left out when it is no terminal, when NO_COLOR is set to
            anything, or when the terminal is dumb.

    """
    terminal = stream.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Console(
        file=stream,
        color_system="auto" if colour else None,
        force_terminal=colour,
        width=columns(),
        highlight=False,
        markup=False,
        emoji=False,
    )


def say(out: Console, text: str, style: str = "") -> None:
    """Write a line, broken between words where the console is narrower."""
    out.print(Text(wrapped(text, out.width), style=style), soft_wrap=True)


def table(*words: str, numbers: Sequence[str] = ()) -> Table:
    """Return an empty table, with its columns of words and after them those of numbers."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in words:
        made.add_column(Text(name), overflow="fold")
    for name in numbers:
        made.add_column(Text(name), overflow="fold", justify="right")
    return made


def check_table(run: Run, registry: Registry) -> Group:
    """Return the clauses by function: the status expected, what was observed, the verdict."""
    heading = _columns()
    heading.add_row("Clause", "Expected", "Observed", "Verdict", style="bold")
    parts: list[RenderableType] = [heading]
    for function, clauses in run.functions.items():
        rows = _columns()
        for clause in clauses:
            verdict = run.verdicts[clause]
            rows.add_row(
                Text(one_line(clause.split("/", 1)[1])),
                Text(_expected(clause, registry)),
                Text(_observed(run, clause)),
                Text(run.label(clause), style=_style(verdict, strict=run.started.strict)),
            )
        parts += [Text(f"\n{one_line(function)}", style="bold"), rows]
    return Group(*parts)


def _columns() -> Table:
    """Return an empty table; all of them have columns of the same widths."""
    grid = Table.grid(expand=True, padding=(0, 1))
    for ratio in (8, 7, 6, 5):
        grid.add_column(ratio=ratio, overflow="fold")
    return grid


def print_summary(
    run: Run,
    registry: Registry,
    out: Console,
    explained: Mapping[str, Explanation] | None = None,
) -> None:
    """Write the lines that end a run: warnings, counts, and what the run shows, last.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.
        out: where to write.
        explained: what is known of causes, by id.

    """
    for warning in warnings(run, registry):
        say(out, f"note: {one_line(warning, 1000)}")
    for line in set_lines(run, registry):
        say(out, line)
    if run.verdicts:
        say(out, f"{clause_count(len(run.verdicts))}: {count_list(run)}")
    causes = causes_of(run, explained)
    for line in (*_causes(causes), *_programs(causes)):
        say(out, line)
    head = headline(run, registry)
    say(out, head.text, TONES[head.tone])


def _causes(causes: Sequence[Cause]) -> Iterator[str]:
    """Yield the heaviest causes of failures, a line each."""
    shown = causes[:HEAVIEST]
    if not shown:
        return
    rest = f", the heaviest {len(shown)}" if len(causes) > len(shown) else ""
    number = "1 cause" if len(causes) == 1 else f"{len(causes)} causes"
    yield f"Failures have {number}{rest}:"
    for cause in shown:
        yield f"  {cause.example.label}  {one_line(cause.title)} ({one_line(cause.id)})"


def _programs(causes: Sequence[Cause]) -> Iterator[str]:
    """Yield how the programs of unexpected causes ended, in a line, where there are such causes."""
    news = [cause for cause in causes if not cause.expected]
    if not news:
        return
    ends = Counter(_end(cause) for cause in news)
    number = "1 unexpected cause" if len(news) == 1 else f"{len(news)} unexpected causes"
    counts = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    yield f"Programs of {number}: {counts}"


def _end(cause: Cause) -> str:
    """Return how the program of a cause that nobody expected ended."""
    tried = (r.failure.ran for r in cause.results if r.verdict is not Verdict.XFAIL and r.failure)
    ran = next(filter(None, tried), None)
    if ran is None or (ran.exit is None and ran.form != "none"):
        return "not run"
    if ran.exit is None:
        return "cannot be made"
    return f"ended with {ran.exit} ({ENDS.get(ran.exit, 'shows nothing')})"


def set_lines(run: Run, registry: Registry) -> Iterator[str]:
    """Yield what may be said of the named sets that the run judged as a whole, a line each kind."""
    by_state: dict[State, list[str]] = {}
    for result in telling(set_results(run, registry)):
        contested = f"{result.contested} contested" * bool(result.contested)
        notes = ("with warnings" * result.warned, result.why, contested)
        why = ", ".join(note for note in notes if note)
        name = result.named.name
        by_state.setdefault(result.state, []).append(f"{name} ({why})" if why else name)
    suite = f"suite version {one_line(run.started.suite_version)}"
    for state, names in by_state.items():
        if state is not State.NOT_CLAIMED:
            yield f"Sets of {suite}, {state}: {', '.join(names)}"
    if by_state:
        yield assumed(run)


def _expected(clause_id: str, registry: Registry) -> str:
    clause = registry.clauses.get(clause_id)
    if clause is None:
        return UNKNOWN
    if clause.kind is Kind.STATUS:
        return " or ".join([*map(short_status, clause.status), *[ANYTHING] * clause.open])
    return EXPORT if clause.kind is Kind.EXPORT else EFFECTS


def _observed(run: Run, clause: str) -> str:
    results = run.by_clause[clause]
    if not results:
        return "nothing"
    worst = results[0]
    if worst.failure:
        return short_status(one_line(worst.failure.got))
    if worst.reason:
        return one_line(worst.reason)
    if clause in run.contested:
        return "one of the contested answers"
    if worst.verdict is not Verdict.PASS:
        return worst.verdict.meaning
    values = "; ".join(filter(None, map(tried, results)))
    return f"as expected; {one_line(values)}" if values else "as expected"


def _style(verdict: Verdict, *, strict: bool) -> str:
    if verdict.fails(strict=strict):
        return "bold red"
    if verdict is Verdict.PASS:
        return "green"
    return "yellow" if verdict in JUDGED else "dim"
