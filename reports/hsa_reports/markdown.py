"""A run as a short Markdown summary, for the job summary of a CI or a pull request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hsa_reports.by_set import State, assumed, said, set_results, telling
from hsa_reports.causes import Cause, Explanation, causes_of
from hsa_reports.cautions import warnings
from hsa_reports.counting import count, share
from hsa_reports.facts import facts
from hsa_reports.headline import headline
from hsa_reports.result import Result
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import Verdict
from hsa_reports.words import english
from hsa_spec import Registry
from hsa_spec.markdown import table

SHOWN = 20
"""How many findings a summary lists at most; a pull request takes 65,536 characters in all."""

ROOM = 56_000
"""How many characters there are for the findings."""

FEW = 5
"""How many clauses are named beside the one that is shown of a cause."""

MARKS = {"good": "✅", "bad": "❌", "open": "🟡", "nothing": "⚠️"}
_FACTS = ("Library", "Implementation", "Release", "Build id", "Device node", "Suite", "Profile")


def render_markdown(
    run: Run, registry: Registry, explained: Mapping[str, Explanation] | None = None
) -> str:
    """Return the run as GitHub-flavoured Markdown.

    Text that comes from a library stands in code spans, where it can neither mark up nor mention.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.
        explained: what is known of causes, by id.

    """
    head = headline(run, registry)
    found = facts(run)
    parts = [
        "## HSA conformance",
        f"{MARKS[head.tone]} **{prose(head.text)}**",
        "\n".join(f"- {prose(warning)}" for warning in warnings(run, registry)),
        table(("Tested", ""), [(name, code(found[name])) for name in _FACTS]),
        table(
            ("Verdict", "Clauses", "Meaning"),
            [(str(v), count(run, v), v.meaning) for v in run.counts],
        ),
        f"{prose(share(run))}.",
        _sets(run, registry),
        _findings(run, causes_of(run, explained), registry),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def code(text: str) -> str:
    """Return text as a code span on one line that can stand in a table."""
    shown = one_line(text).replace("|", "\\|")
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown or ' '}{fence}"


def _sets(run: Run, registry: Registry) -> str:
    shown = [r for r in telling(set_results(run, registry)) if r.state is not State.NOT_CLAIMED]
    rows = [(code(r.named.name), str(r.state), prose(said(r, run))) for r in shown]
    heading = f"### Sets\n\n{prose(assumed(run))}\n\n"
    return heading + table(("Set", "", "What may be said"), rows) if rows else ""


def _findings(run: Run, causes: Sequence[Cause], registry: Registry) -> str:
    surprises = [
        _surprise(results[0])
        for results in run.by_clause.values()
        if results and results[0].verdict is Verdict.XPASS
    ]
    items = [*surprises, *(_cause(cause, registry) for cause in causes)]
    if not items:
        return ""
    shown = items[:SHOWN]
    while sum(map(len, shown)) > ROOM:
        shown.pop()
    more = len(items) - len(shown)
    rest = f"\n\n{more} more are in the full report." if more else ""
    return "### Findings\n\n" + "\n".join(shown) + rest


def _surprise(result: Result) -> str:
    return f"- **{result.label}** {code(result.clause)}\n  - reason: {code(result.reason or '')}"


def _cause(cause: Cause, registry: Registry) -> str:
    """Return a cause with the failure to begin with."""
    example, known = cause.example, cause.explanation
    others = [clause for clause in cause.clauses if clause != example.clause]
    lines = [
        f"- **{example.label}** {prose(cause.title)} ({code(cause.id)})",
        f"  - {code(example.clause)}: {prose(english(example.clause, registry))}",
        *_example(example),
    ]
    if others:
        rest = f" and {len(others) - FEW} more" if len(others) > FEW else ""
        lines.append(f"  - also {', '.join(code(clause) for clause in others[:FEW])}{rest}")
    if known.defect:
        lines.append(f"  - defect of: {known.defect}")
    if cause.named and known.releases:
        lines.append(f"  - seen in {', '.join(code(release) for release in known.releases)}")
    lines += [f"  - upstream: [{u.name}]({u.link}) ({u.words})" for u in known.upstream]
    return "\n".join(lines)


def _example(result: Result) -> list[str]:
    lines = [f"  - reason: {code(result.reason)}"] if result.reason else []
    if result.failure:
        allowed = " or ".join(code(a.status) for a in result.failure.allowed)
        lines.append(
            f"  - got {code(result.failure.got)}" + (f", allowed {allowed}" * bool(allowed))
        )
        lines += [
            f"  - contested: {code(r.answer)} by {prose(r.text)}" for r in result.failure.readings
        ]
        lines.append(f"  - reproduce: {code(result.failure.reproduce)}")
        if result.failure.program:
            lines.append(f"  - as a program: {code(result.failure.program)}")
        if result.failure.tried:
            lines.append(f"  - {prose(result.failure.tried)}")
    return lines


def prose(text: str) -> str:
    """Return text on one line that neither marks up nor mentions anybody."""
    escaped = re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", one_line(text, 1000))
    return escaped.replace("@", "@\N{ZERO WIDTH SPACE}")
