"""What a run shows, in one sentence that every report begins with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hsa_reports.counting import clause_count, deaths, failing, share
from hsa_reports.run import Run
from hsa_reports.selection import selection
from hsa_reports.verdicts import Verdict
from hsa_spec import Registry


@dataclass(frozen=True)
class Headline:
    """The first line of a report: a tone (good, bad, open, nothing) and a sentence."""

    tone: str
    text: str


def headline(run: Run, registry: Registry) -> Headline:
    """Return what the run shows, in one sentence that claims no more than was judged.

    Another one before it says what the library does not list, and one after it how many clauses
    end the process, if any do.
    """
    head = _shown(run, registry)
    return replace(head, text=f"{_unlisted(run)} {head.text} {deaths(run)}".strip())


def _unlisted(run: Run) -> str:
    if not run.started.unlisted:
        return ""
    found = "; ".join(run.started.unlisted)
    return f"{found[0].upper()}{found[1:]}: {clause_count(run.beyond)} not judged."


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
