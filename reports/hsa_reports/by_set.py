"""What a run says of each named set: whether the implementation claims it, and passes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from hsa_reports.counting import contested_part, expected, percent
from hsa_reports.run import NO_FAILURE, Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import OUTSIDE_PERCENTAGES, WORST_FIRST, Verdict
from hsa_spec import NamedSet, Registry, named_sets
from hsa_spec.releases import Release


class State(StrEnum):
    """How an implementation stands to a set."""

    PASSES = "passes"
    FAILS = "fails"
    KNOWN = "fails as known"
    NOT_SHOWN = "not shown"
    NOT_CLAIMED = "not claimed"
    NOT_SELECTED = "not selected"

    @property
    def tone(self) -> str:
        """Return the tone of what is said of it: good, bad, open or nothing."""
        return _LOOKS[self][0]

    @property
    def colour(self) -> str:
        """Return the CSS class of its badge."""
        return _LOOKS[self][1]

    @property
    def meaning(self) -> str:
        """Return what the words say, in a sentence."""
        return _LOOKS[self][2]


#: The tone, the CSS class and the meaning of each state.
_LOOKS = {
    State.PASSES: (
        "good",
        "good",
        "Each of its clauses that applies was judged and holds, or says why no test can show it.",
    ),
    State.FAILS: ("bad", "bad", "At least one of its clauses fails."),
    State.KNOWN: (
        "open",
        "known",
        "At least one of its clauses fails, and the baseline of the run expects all that do.",
    ),
    State.NOT_SHOWN: (
        "open",
        "warn",
        "None of its clauses fails, and not all that could be judged were: set-up broke, an "
        "imitation decided, the library lists less than the machine has, or the run was cut short.",
    ),
    State.NOT_CLAIMED: (
        "nothing",
        "none",
        "The implementation does not claim all of its functions, or is of a release without them.",
    ),
    State.NOT_SELECTED: ("nothing", "none", "The run was not about all of it."),
}


@dataclass(frozen=True)
class SetResult:
    """What a run found about one set.

    Attributes:
        named: the set.
        state: how the implementation stands to it.
        offered: how many of its functions the implementation claims, or is taken to have.
        counts: how many of its clauses have each verdict, those that occur, worst first.
        contested: how many of its clauses pass with one of several answers that texts give.
        strict: broken `should` clauses count as failures.
        expected: how many of its clauses that are XFAIL have each real verdict, worst first.

    """

    named: NamedSet
    state: State
    offered: int
    counts: Mapping[Verdict, int]
    contested: int
    strict: bool
    expected: Mapping[Verdict, int] = field(default_factory=dict)

    @property
    def passing(self) -> str:
        """Return how many of its clauses pass, with those set apart whose text is contested."""
        outside = sum(self.counts.get(verdict, 0) for verdict in OUTSIDE_PERCENTAGES)
        whole, passed = sum(self.counts.values()) - outside, self.counts.get(Verdict.PASS, 0)
        share = f" ({percent(passed, whole)})" if whole else ""
        return f"{passed} of {whole} clauses pass{share}{contested_part(self.contested)}"

    @property
    def others(self) -> str:
        """Return the other verdicts with their counts, worst first."""
        left = (Verdict.PASS, Verdict.NOT_APPLICABLE)
        return ", ".join(self._counted(verdict) for verdict in self.counts if verdict not in left)

    def _counted(self, verdict: Verdict) -> str:
        real = expected(self.expected) if verdict is Verdict.XFAIL else ""
        return f"{self.counts[verdict]} {verdict}{f' ({real})' * bool(real)}"

    @property
    def why(self) -> str:
        """Return what stands against it, or how much of it is claimed."""
        if self.state is State.NOT_CLAIMED:
            return f"{self.offered} of {len(self.named.functions)} functions"
        against = [v for v in self.counts if self._is_against(v)]
        return ", ".join(map(self._counted, against))

    def _is_against(self, verdict: Verdict) -> bool:
        if self.state is State.FAILS:
            return verdict.fails(strict=self.strict)
        return verdict is Verdict.XFAIL if self.state is State.KNOWN else verdict not in NO_FAILURE

    @property
    def warned(self) -> bool:
        """Return whether it passes although what should hold does not."""
        return self.state is State.PASSES and any(v.fails(strict=True) for v in self.counts)


def set_results(run: Run, registry: Registry) -> tuple[SetResult, ...]:
    """Return what a run found about each named set.

    Args:
        run: what was found.
        registry: where functions and clauses are.

    """
    offered = frozenset(_offered(run, registry))
    return tuple(_result(run, s, offered, registry) for s in named_sets(registry).values())


def telling(results: Sequence[SetResult]) -> tuple[SetResult, ...]:
    """Return the results that say something which no other does.

    Of sets that grow with the version of AMD's interface, the newest that is claimed speaks for the
    older ones, as far as these stand the same; and what is claimed, for newer ones that are not.
    """
    kept: list[SetResult] = []
    newer: dict[str, State] = {}
    for result in reversed(results):
        family = result.named.name.rpartition("-")[0] if result.named.interface else None
        if result.state is State.NOT_SELECTED:
            continue
        if family and result.state in (newer.get(family), State.NOT_CLAIMED):
            continue
        if family:
            newer[family] = result.state
        kept.append(result)
    return tuple(reversed(kept))


def said(result: SetResult, run: Run) -> str:
    """Return what may be said of a set, in one sentence."""
    suite = f"suite version {one_line(run.started.suite_version)}"
    what = f'set "{result.named.name}" of {suite}'
    if result.state is State.NOT_SELECTED:
        return f"The run did not select all of {what}."
    if result.state is State.NOT_CLAIMED:
        return f"Does not claim {what}: {result.why} only."
    found = result.passing + (f"; {result.others}" if result.others else "")
    if result.state is State.PASSES:
        return f"Passes {what}{', with warnings' * result.warned}: {found}."
    if result.state is State.NOT_SHOWN:
        return f"Is not shown to pass {what}: {found}."
    known = ", as its baseline says" * (result.state is State.KNOWN)
    return f"Does not pass {what}{known}: {found}."


def assumed(run: Run) -> str:
    """Return what a run took the implementation to be, and to offer, in one sentence."""
    subject = run.started.subject
    found = f" ({one_line(subject.release_from)})" if subject.release_from else ""
    judged = f"judged as {one_line(subject.release or 'of no known version')}{found}"
    if subject.claims is None:
        return f"Nothing is claimed; {judged}."
    if set(subject.claims) == set(subject.exports):
        return f"Claimed is what it exports, {len(subject.claims)} functions; {judged}."
    return f"Claimed are {len(subject.claims)} functions; {judged}."


def _offered(run: Run, registry: Registry) -> Iterator[str]:
    """Yield the functions that are claimed, or that the run took the implementation to have."""
    claims = run.started.subject.claims
    if claims is not None:
        yield from claims
        return
    for name, clauses in run.functions.items():
        exported = [c for c in clauses if c.endswith("/exported")]
        if name in registry.functions and any(
            run.verdicts[c] is not Verdict.NOT_APPLICABLE for c in exported or clauses
        ):
            yield name


def _result(run: Run, named: NamedSet, offered: frozenset[str], registry: Registry) -> SetResult:
    release = Release(interface=named.interface, hsa=named.hsa)
    about = [clause for name in named.functions for clause in registry.clauses_about(name)]
    tried = run.verdicts.keys() - run.started.narrowed
    # Most runs are of a few clauses, so that the first one that is not tried is soon met.
    whole = all(c.id in tried for c in about if release.has(c.versions) is not False)
    clauses = [c.id for c in about if c.id in run.verdicts and release.has(c.versions) is not False]
    counts = _in_order(run.verdicts[c] for c in clauses)
    strict = run.started.strict
    return SetResult(
        named,
        state=_state(run, named, offered, counts, whole=whole),
        offered=len(named.functions & offered),
        counts=counts,
        contested=len(run.contested.intersection(clauses)),
        strict=strict,
        expected=_in_order(
            run.by_clause[c][0].real for c in clauses if run.verdicts[c] is Verdict.XFAIL
        ),
    )


def _in_order(verdicts: Iterable[Verdict]) -> Mapping[Verdict, int]:
    """Return how often each verdict occurs, the worst first."""
    counted = Counter(verdicts)
    return {verdict: counted[verdict] for verdict in WORST_FIRST if counted[verdict]}


def _state(
    run: Run,
    named: NamedSet,
    offered: frozenset[str],
    counts: Mapping[Verdict, int],
    *,
    whole: bool,
) -> State:
    if not whole:
        return State.NOT_SELECTED
    if not named.functions <= offered:
        return State.NOT_CLAIMED
    if any(verdict.fails(strict=run.started.strict) for verdict in counts):
        return State.FAILS
    if Verdict.XFAIL in counts:
        return State.KNOWN
    sound = run.end is not None and run.end.initialised and Verdict.PASS in counts
    sound = sound and not run.started.unlisted
    return State.PASSES if sound and NO_FAILURE.issuperset(counts) else State.NOT_SHOWN
