"""What a run shows, in words: the sentences that every report shares."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hsa_reports.blocked import Obstacle, obstacles
from hsa_reports.events import Result
from hsa_reports.run import UNKNOWN, Run
from hsa_reports.subject import Subject
from hsa_reports.text import one_line
from hsa_reports.verdicts import JUDGED, OUTSIDE_PERCENTAGES, Verdict, rank
from hsa_spec import DecidedBy, Registry, Strength, describe

#: What the names of checks mean; others are words already.
_CHECKS = {
    "satisfied": "calls that meet the condition",
    "near miss": "calls that just miss the condition",
    "exported": "exported symbol",
    "failure effects": "effects of a failed call",
    "refused by the driver": "calls during which the driver refuses a resource",
    "made again after a refusal": "the same call after the driver refused a resource",
    "succeeds in spite of a refusal": "calls that succeed although the driver refuses a resource",
    "sequences of right calls": "random sequences of valid calls",
    "sequences of right and wrong calls": "random sequences of valid and invalid calls",
    "sequences in two processes": "random sequences in two processes",
    "applicability": "not judged",
    "start": "hsa_init at the start of a process",
}

CONTESTED = "texts contradict each other, and the answer is one of theirs"
"""What is said of a clause that holds and is contested."""

_BINDS_NOBODY = frozenset({Strength.UNDEFINED, Strength.OBSERVED})


@dataclass(frozen=True)
class Headline:
    """The first line of a report: a tone (good, bad, open, nothing) and a sentence."""

    tone: str
    text: str


def headline(run: Run, registry: Registry) -> Headline:
    """Return what the run shows, in one sentence that claims no more than was judged.

    Another one says how many clauses end the process, if any do.
    """
    head = _shown(run, registry)
    return replace(head, text=f"{head.text} {deaths(run)}".strip())


def deaths(run: Run) -> str:
    """Return how many clauses end the process or hang, expected or not, as a sentence."""
    if not run.deaths:
        return ""
    kinds = Counter(result.real for result in run.deaths.values())
    listed = ", ".join(f"{kinds[verdict]} {verdict}" for verdict in sorted(kinds, key=rank))
    verb = "ends the process or hangs" if len(run.deaths) == 1 else "end the process or hang"
    known = sum(result.verdict is Verdict.XFAIL for result in run.deaths.values())
    share = "" if not known else f", {'all' if known == len(run.deaths) else known} expected"
    return f"{clause_count(len(run.deaths))} {verb} ({listed}){share}."


def _shown(run: Run, registry: Registry) -> Headline:
    what = selection(run, registry)
    if run.end is None:
        done = len(run.verdicts) - run.counts[Verdict.NOT_RUN]
        broken = f" {failing(run)}." if run.failures else ""
        return Headline(
            "nothing" if not run.failures else "bad",
            f"The run was cut short: {done} of {len(run.verdicts)} clauses have results, so it "
            f"shows nothing about {what} as a whole.{broken}",
        )
    if not run.end.initialised or run.judged == 0:
        few = f" Clauses judged without one: {run.judged}." if run.judged else ""
        broken = f" {failing(run)}." if run.failures else ""
        return Headline(
            "nothing",
            f"NOTHING WAS JUDGED in an initialised runtime, so this run does not show whether "
            f"the library passes {what}.{few}{broken}",
        )
    if run.failures:
        return Headline("bad", f"Does not pass {what}: {failing(run)}.")
    if run.passes:
        # A warning breaks what should hold, which a pass does not take.
        doubtful = any(v.fails(strict=True) for v in run.verdicts.values())
        warned = ", with warnings" if doubtful else ""
        return Headline("good", f"Passes {what}{warned}: {share(run)}.")
    return Headline(
        "open",
        f"No clause fails unexpectedly, but the run does not show that the library passes {what}: "
        f"{share(run)}.",
    )


def share(run: Run) -> str:
    """Return the share that passed, never without what stands beside it."""
    others = count_list(run, leave_out=Verdict.PASS)
    return passing(run) + (f"; {others}" if others else "")


def passing(run: Run) -> str:
    """Return how many clauses pass, with those set apart whose text is contested."""
    passed = run.counts[Verdict.PASS]
    part = f" ({percent(passed, run.applicable)})" if run.applicable else ""
    return f"{passed} of {run.applicable} applicable clauses pass{part}{_contested(run, ', ')}"


def count_list(run: Run, leave_out: Verdict | None = None) -> str:
    """Return the verdicts that occur with their counts, such as "3 FAIL, 1 HANG", worst first."""
    return ", ".join(
        f"{n} {verdict}{_apart(run, verdict)}"
        for verdict, n in run.counts.items()
        if n and verdict is not leave_out
    )


def _apart(run: Run, verdict: Verdict) -> str:
    """Return what has to stand beside a count, in parentheses; nothing for most verdicts."""
    if verdict is Verdict.XFAIL:
        real = expected(run.expected)
        return f" ({real})" if real else ""
    return _contested(run, " (", ")") if verdict is Verdict.PASS else ""


def expected(real: Mapping[Verdict, int]) -> str:
    """Return the real verdicts of expected failures, such as "3 CRASH, 1 FAIL"."""
    return ", ".join(f"{n} {v}" for v, n in real.items() if n and v is not Verdict.XFAIL)


def _contested(run: Run, before: str, after: str = "") -> str:
    """Return how many of the clauses that pass are contested, set apart; nothing for none."""
    return contested_part(len(run.contested), before, after)


def contested_part(n: int, before: str = ", ", after: str = "") -> str:
    """Return how many of what passes are contested, to stand behind it; nothing for none."""
    return f"{before}of which {n} contested{after}" if n else ""


def clause_count(count: int) -> str:
    """Return a number of clauses in words."""
    return "1 clause" if count == 1 else f"{count} clauses"


def selection(run: Run, registry: Registry) -> str:
    """Return what was selected, as words like `set "amd/vmem" of suite version 1.0`.

    Where the implementation claims less than that, it says so.
    """
    whole = _selected(run, registry)
    claims = run.started.subject.claims
    subjects = {clause.partition("/")[0] for clause in run.started.clauses}
    functions = subjects - registry.rules.keys()
    if claims is None or functions <= set(claims):
        return whole
    claimed = len(functions & set(claims))
    claimed_functions = "function" if claimed == 1 else f"{claimed} functions"
    return f"the {claimed_functions} that it claims, of {len(functions)}, in {whole}"


def _selected(run: Run, registry: Registry) -> str:
    version = f"suite version {one_line(run.started.suite_version)}"
    selected = set(run.started.clauses)
    if selected == set(registry.clauses):
        return f'set "all" of {version}'
    topics = whole_topics(selected, registry)
    if set().union(*topics.values()) == selected and topics:
        return f'set "{" + ".join(topics)}" of {version}'
    return f"the set of {len(selected)} selected clauses of {version}"


def facts(run: Run) -> Mapping[str, str]:
    """Return what was tested, and how, as label and text."""
    started, subject = run.started, run.started.subject
    found = f" (from {subject.release_from})" if subject.release_from else ""
    held_to = "must and should clauses" if started.strict else "must clauses"
    listed = {
        "Library": subject.path or "in process, no file",
        "Implementation": f"{subject.implementation}, through the adapter {subject.adapter}",
        "Release": f"{subject.release or 'not found'}{found}",
        "Build id": subject.build_id or "none",
        "Device node": _device_node(subject),
        "Imitated": subject.imitation or "nothing",
        "Suite": f"version {started.suite_version}, registry {started.registry_digest}",
        "Profile": f"{started.profile}, held to {held_to}, seed {seed(run)}",
        "Command": shlex.join(started.command),
        "Started": started.started.isoformat(sep=" ", timespec="seconds"),
        "Finished": run.end.finished.isoformat(sep=" ", timespec="seconds")
        if run.end
        else "never: the run was cut short",
    }
    return listed | {f"Host: {name}": text for name, text in subject.host.items()}


def _device_node(subject: Subject) -> str:
    if subject.imitation:
        return "imitated"
    return "in sight" if subject.device else "none in sight"


def seed(run: Run) -> str:
    """Return the seed of the examples."""
    return "chosen by the run" if run.started.seed is None else str(run.started.seed)


def warnings(run: Run, registry: Registry) -> tuple[str, ...]:
    """Return what people should know before they believe the report, the run's notices included."""
    own = []
    if run.end is None:
        own.append("The run was cut short: clauses without a result are NOT_RUN.")
    elif run.end.exit_status not in ((0, 1) if run.failures else (0,)):
        own.append(f"The run ended with exit status {run.end.exit_status}: {run.end.summary}")
    if run.started.registry_digest != registry.digest:
        own.append(
            "The run was judged by another version of the registry than the one this report was "
            "made with: the words beside a clause may differ from the rule that judged it."
        )
    if run.started.subject.imitation is not None and run.verdicts:
        own.append(_on_imitation(run, run.started.subject.imitation, registry))
    return (*own, *map(_in_the_way, obstacles(run)), *run.notices)


def _in_the_way(obstacle: Obstacle) -> str:
    """Say of a function how many clauses wait for it, and why they do."""
    waiting = len(obstacle.waiting)
    verb = "waits" if waiting == 1 else "wait"
    found = "not selected" if obstacle.verdict is None else str(obstacle.verdict)
    return f"{clause_count(waiting)} {verb} for {obstacle.function} ({found}): {obstacle.how}"


def _on_imitation(run: Run, imitation: str, registry: Registry) -> str:
    """Say how far a run without real devices reaches: what they decide is left out."""
    decided = [
        verdict
        for clause_id, verdict in run.verdicts.items()
        if verdict not in OUTSIDE_PERCENTAGES
        if (clause := registry.clauses.get(clause_id)) is not None
        if clause.decided_by is DecidedBy.RUNTIME and clause.strength not in _BINDS_NOBODY
    ]
    judged = sum(verdict in JUDGED for verdict in decided)
    part = f" ({percent(judged, len(decided))})" if decided else ""
    return (
        f"The machine is imitated ({imitation}): {judged} of {clause_count(len(decided))} that "
        f"apply, bind, and are the runtime's own to decide were judged{part}; "
        "the others say why not."
    )


def check_name(check: str) -> str:
    """Return the name of a check for readers, such as "property: handles are not zero"."""
    kind, _, name = check.partition(" ")
    if kind == "property":
        return f"property: {name.replace('_', ' ')}"
    return _CHECKS.get(check, check)


def count(run: Run, verdict: Verdict) -> str:
    """Return how many clauses have a verdict, with those set apart that need a word of their own.

    These are contested ones that hold, and expected failures: what they are expected to be.
    """
    if verdict is Verdict.XFAIL:
        return str(run.counts[verdict])
    apart = _contested(run, ", ") if verdict is Verdict.PASS else ""
    known = f", and {run.expected[verdict]} expected" if run.expected[verdict] else ""
    return f"{run.counts[verdict]}{apart}{known}"


def tried(result: Result) -> str:
    """Return how many of the values that a check had to try were judged, for each axis."""
    axes: dict[str, list[bool]] = {}
    for each in result.values:
        axes.setdefault(each.axis, []).append(each.reached)
    return ", ".join(f"{axis}: {sum(judged)} of {len(judged)}" for axis, judged in axes.items())


def why(run: Run, clause: str, value: str | None = None) -> str:
    """Return why a clause has its verdict, or one of its values, in one sentence."""
    worst = next((r for r in run.by_clause[clause] if value in (None, r.value)), None)
    reason = worst and ((worst.failure and worst.failure.summary) or worst.reason)
    return reason or run.verdicts[clause].meaning


def english(clause_id: str, registry: Registry) -> str:
    """Return what a clause says, in English."""
    clause = registry.clauses.get(clause_id)
    return describe(clause) if clause else "This registry does not know the clause."


def source(clause_id: str, registry: Registry) -> str:
    """Return where a clause comes from."""
    clause = registry.clauses.get(clause_id)
    return str(clause.source) if clause else UNKNOWN


def strength(clause_id: str, registry: Registry) -> str:
    """Return how far a clause binds."""
    clause = registry.clauses.get(clause_id)
    return str(clause.strength) if clause else UNKNOWN


def short_status(column: str) -> str:
    """Return the name of a status without what all of them share."""
    return column.removeprefix("HSA_STATUS_").removeprefix("ERROR_")


def failing(run: Run) -> str:
    """Return how many clauses fail, by verdict, and how many pass."""
    strict = run.started.strict
    kinds = ", ".join(
        f"{n} {verdict}" for verdict, n in run.counts.items() if n and verdict.fails(strict=strict)
    )
    return (
        f"{run.failures} of {run.applicable} applicable clauses fail ({kinds}), "
        f"{run.counts[Verdict.PASS]} pass{_contested(run, ', ')}"
    )


def percent(part: int, whole: int) -> str:
    """Return a share in percent, rounded down: 100% is said only where it is all of them."""
    return f"{part * 1000 // whole / 10:g}%"


def whole_topics(selected: set[str], registry: Registry) -> Mapping[str, set[str]]:
    """Return the topics of which all clauses were selected, with these."""
    topics: dict[str, set[str]] = {}
    for clause in registry.clauses.values():
        topics.setdefault(registry.functions[clause.function].topic, set()).add(clause.id)
    return {topic: ids for topic, ids in topics.items() if ids <= selected}
