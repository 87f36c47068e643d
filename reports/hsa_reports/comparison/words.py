"""What a comparison shows, in words: the sentences that its forms share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise

from hsa_reports.cautions import warnings
from hsa_reports.comparison.clause_change import Change, Group
from hsa_reports.comparison.comparison import Comparison, judged_nothing
from hsa_reports.counting import clause_count
from hsa_reports.facts import facts, seed
from hsa_reports.headline import Headline
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import Verdict
from hsa_reports.words import CONTESTED
from hsa_spec import Registry

NOT_SELECTED = "not selected"

DYING = "ends the process or hangs"
"""What is said of the row of a table that `dying` is."""

_TESTED = ("Release", "Library", "Build id", "Imitated", "Started")

_CONDITIONS: Mapping[str, tuple[Callable[[Run], object], str]] = {
    "suite versions": (
        lambda run: run.started.suite_version,
        "A clause may be checked in another way",
    ),
    "registry digests": (
        lambda run: run.started.registry_digest[:19],
        "A clause may say something else",
    ),
    "profiles": (lambda run: run.started.profile, "More examples find more"),
    "seeds": (seed, "Other examples find other things"),
    "imitations of the driver": (
        lambda run: run.started.subject.imitation or "none",
        "A change need not come from the library",
    ),
}
"""What should be the same in all runs, and what follows where it is not."""


def names(comparison: Comparison) -> tuple[str, ...]:
    """Return the names of the runs, short enough for the head of a column."""
    return tuple(one_line(name, 60) for name in comparison.names)


def title(comparison: Comparison) -> str:
    """Return the names of the runs, the oldest first."""
    return " → ".join(names(comparison))


def headline(comparison: Comparison) -> Headline:
    """Return what the comparison shows, in one sentence or two."""
    first, *_, last = names(comparison)
    alone = comparison.failing_alone
    rest = f" Not compared, but failing in {last}: {clause_count(alone)}." if alone else ""
    others = _listed(comparison, worse=False)
    if comparison.worse:
        kinds = _listed(comparison, worse=True)
        text = f"{clause_count(comparison.worse)} got worse from {first} to {last} ({kinds})"
        return Headline("bad", f"{text}{f'; {others}' * bool(others)}.{rest}")
    if comparison.shows_nothing:
        return Headline(
            "nothing",
            f"NOTHING WAS COMPARED: {first} and {last} have too little in common to say whether "
            f"anything got worse.{rest}",
        )
    if comparison.unreached:
        return Headline(
            "nothing",
            f"NOT ALL WAS COMPARED: {last} did not reach {clause_count(comparison.unreached)} that "
            f"held before. Of those that it reached none got worse.{rest}",
        )
    if comparison.changes:
        text = f"No clause got worse from {first} to {last}: {others}."
    else:
        none = "No clause that can be compared differs" if comparison.partial else "No difference"
        runs = "both runs" if len(comparison.runs) == 2 else f"all {len(comparison.runs)} runs"
        text = f"{none}: same verdict in {runs} for {clause_count(comparison.same)}."
    return Headline("open" if alone else "good", f"{text}{rest}")


def notes(comparison: Comparison, registry: Registry) -> tuple[str, ...]:
    """Return what people should know before they believe the comparison."""
    own = []
    for (first, earlier), (second, later) in pairwise(_named(comparison)):
        if later.end is not None and later.end.finished < earlier.started.started:
            own.append(f"{second} ran before {first}, but is compared as the later one.")
    builds = list(_by_value(comparison, lambda run: run.started.subject.build_id or ""))
    if len(builds) == 1 and builds[0]:
        own.append(f"The same build in all runs (build id {builds[0]}).")
    for what, (value, consequence) in _CONDITIONS.items():
        found = _by_value(comparison, value)
        if len(found) > 1:
            values = "; ".join(f"{text} ({', '.join(runs)})" for text, runs in found.items())
            own.append(f"Different {what}: {values}. {consequence}.")
    if comparison.agreed:
        own.append(
            f"On all imitations {clause_count(comparison.agreed)} judged alike: that is the "
            "library's own."
        )
    for name, run in _named(comparison):
        if judged_nothing(run):
            own.append(f"{name}: Nothing was judged in an initialised runtime.")
        own += [f"{name}: {warning}" for warning in warnings(run, registry)]
    if any(run.contested for run in comparison.runs):
        each = ", ".join(f"{len(run.contested)} in {name}" for name, run in _named(comparison))
        own.append(f"Of the clauses that pass, contested are {each}: {CONTESTED}.")
    return tuple(dict.fromkeys(own))


def tested(comparison: Comparison) -> Mapping[str, tuple[str, ...]]:
    """Return what was tested: for each label a text for each run."""
    found = [facts(run) for run in comparison.runs]
    return {label: tuple(each[label] for each in found) for label in _TESTED}


def counts(comparison: Comparison) -> Mapping[Verdict, tuple[int, ...]]:
    """Return for each verdict that occurs how many clauses have it in each run, worst first."""
    found = [run.counts for run in comparison.runs]
    rows = {verdict: tuple(each[verdict] for each in found) for verdict in found[0]}
    return {verdict: row for verdict, row in rows.items() if any(row)}


def dying(comparison: Comparison) -> tuple[int, ...]:
    """Return how many clauses end the process or hang in each run, expected or not."""
    return tuple(len(run.deaths) for run in comparison.runs)


def growth(row: tuple[int, ...]) -> str:
    """Return by how much a count grew from the first run to the last, such as "+2"."""
    return f"{row[-1] - row[0]:+d}" if row[-1] != row[0] else ""


def chain(change: Change, arrow: str) -> str:
    """Return the verdicts of a clause, the oldest run first."""
    fails = change.failed or (False,) * len(change.verdicts)
    labels = change.labels or (None,) * len(change.verdicts)
    answers = change.answers if change.group is Group.DIFFERENT else ((),) * len(labels)
    words = (
        " ".join([f"{label or verdict or NOT_SELECTED}{' (fails)' * failed}", *sorted(answered)])
        for verdict, label, failed, answered in zip(
            change.verdicts, labels, fails, answers, strict=True
        )
    )
    return f" {arrow} ".join(words)


def left_out(comparison: Comparison) -> tuple[str, ...]:
    """Return a sentence for what only some runs say something about, which is counted alone."""
    return tuple(
        f"{kind} only in some runs, so not compared: {clause_count(len(clauses))} "
        f"({_in_each_run(comparison, clauses)})."
        for kind, clauses in comparison.partly.items()
    )


def latest(comparison: Comparison, change: Change) -> tuple[str, Run]:
    """Return the last run in which a clause can be compared, and its name."""
    last = max(number for number, verdict in enumerate(change.verdicts) if verdict is change.after)
    return names(comparison)[last], comparison.runs[last]


def reproduce(run: Run, clause: str) -> str | None:
    """Return the command that shows a failure of a clause again."""
    failures = (result.failure for result in run.by_clause[clause] if result.failure)
    return next((failure.reproduce for failure in failures), None)


def _named(comparison: Comparison) -> tuple[tuple[str, Run], ...]:
    return tuple(zip(names(comparison), comparison.runs, strict=True))


def _in_each_run(comparison: Comparison, clauses: tuple[Change, ...]) -> str:
    parts = []
    for number, name in enumerate(names(comparison)):
        found = comparison.counts_in(number, clauses)
        listed = ", ".join(f"{n} {verdict}" for verdict, n in found.items())
        parts.append(f"{name}: {listed or 'none'}")
    return "; ".join(parts)


def _by_value(
    comparison: Comparison, value: Callable[[Run], object]
) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, run in _named(comparison):
        text = one_line(str(value(run)), 100)
        found[text] = (*found.get(text, ()), name)
    return found


def _listed(comparison: Comparison, *, worse: bool) -> str:
    """Return how many changes of which kind there are, for the worse or not."""
    found = Counter(change.group for change in comparison.changes if change.worse is worse)
    return ", ".join(f"{found[g]} {g.partition(':')[0]}" for g in Group if found[g])
