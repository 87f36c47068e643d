"""Several implementations by set, as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hsa_reports.by_set import SetResult, State, assumed, said, set_results, telling
from hsa_reports.cautions import warnings
from hsa_reports.comparison.comparison import Comparison
from hsa_reports.comparison.words import names
from hsa_reports.page import environment
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_spec import NamedSet, Registry

_UNSAID = (State.NOT_CLAIMED, State.NOT_SELECTED)


@dataclass(frozen=True)
class Row:
    """One run in the page, with what it says of each set of the columns."""

    name: str
    library: str
    path: str
    assumed: str
    warnings: tuple[str, ...]
    results: tuple[SetResult, ...]
    sentences: tuple[str, ...]


def render_sets(comparison: Comparison, registry: Registry) -> str:
    """Return the page; runs are rows, sets that one of them claims are columns.

    Args:
        comparison: the runs, in the order of the rows.
        registry: where the sets are.

    """
    found = [set_results(run, registry) for run in comparison.runs]
    columns = _columns(found)
    each = zip(names(comparison), comparison.runs, found, strict=True)
    return (
        environment()
        .get_template("sets.html.j2")
        .render(
            rows=[_row(name, run, results, columns, registry) for name, run, results in each],
            columns=columns,
            states={state: state.meaning for state in State},
            judged_by=_judged_by(comparison),
        )
    )


def _judged_by(comparison: Comparison) -> tuple[str, ...]:
    """Return the versions of suite and registry that judged the runs."""
    started = [run.started for run in comparison.runs]
    versions = [f"{s.suite_version}, registry {s.registry_digest[:12]}" for s in started]
    return tuple(one_line(version) for version in dict.fromkeys(versions))


def _columns(found: Sequence[Sequence[SetResult]]) -> tuple[NamedSet, ...]:
    """Return the sets of which a run says something."""
    every = {r.named.name: r.named for results in found for r in results}
    told = [r for results in found for r in telling(results)]
    shown = {r.named.name for r in told if r.state is not State.NOT_CLAIMED}
    return tuple(named for name, named in every.items() if name in shown)


def _row(
    name: str,
    run: Run,
    results: Sequence[SetResult],
    columns: Sequence[NamedSet],
    registry: Registry,
) -> Row:
    by_name = {r.named.name: r for r in results}
    shown = tuple(by_name[named.name] for named in columns)
    subject = run.started.subject
    path = one_line(subject.path or subject.implementation)
    return Row(
        name,
        path.rpartition("/")[2],
        path,
        assumed(run),
        warnings(run, registry),
        shown,
        tuple(said(r, run) for r in shown if r.state not in _UNSAID),
    )
