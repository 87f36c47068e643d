"""How many clauses have which verdict, in the words that every report shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hsa_reports.run import Run
from hsa_reports.verdicts import Verdict, rank


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


def count(run: Run, verdict: Verdict) -> str:
    """Return how many clauses have a verdict, with those set apart that need a word of their own.

    These are contested ones that hold, and expected failures: what they are expected to be.
    """
    if verdict is Verdict.XFAIL:
        return str(run.counts[verdict])
    apart = _contested(run, ", ") if verdict is Verdict.PASS else ""
    known = f", and {run.expected[verdict]} expected" if run.expected[verdict] else ""
    return f"{run.counts[verdict]}{apart}{known}"


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
