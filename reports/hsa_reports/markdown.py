"""A run as a short Markdown summary, for the job summary of a CI or a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hsa_reports.by_set import State, assumed, said, set_results, telling
from hsa_reports.events import Result
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import Verdict, rank
from hsa_reports.words import count, english, facts, headline, share, warnings
from hsa_spec import Registry

SHOWN = 20
"""How many findings a summary lists; a pull request takes 65,536 characters in all."""

MARKS = {"good": "✅", "bad": "❌", "open": "🟡", "nothing": "⚠️"}
_FACTS = ("Library", "Implementation", "Release", "Build id", "Device node", "Suite", "Profile")


def render_markdown(run: Run, registry: Registry) -> str:
    """Return the run as GitHub-flavoured Markdown.

    Text that comes from a library stands in code spans, where it can neither mark up nor mention.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.

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
        _findings(run, registry),
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


def _findings(run: Run, registry: Registry) -> str:
    found = [
        (clause, results[0])
        for clause, results in run.by_clause.items()
        if results and rank(results[0].verdict) <= rank(Verdict.XFAIL)
    ]
    if not found:
        return ""
    found.sort(key=lambda item: rank(item[1].verdict))
    items = "\n".join(_finding(clause, result, registry) for clause, result in found[:SHOWN])
    more = len(found) - SHOWN
    rest = f"\n\n{more} more are in the full report." if more > 0 else ""
    return f"### Findings\n\n{items}{rest}"


def _finding(clause: str, result: Result, registry: Registry) -> str:
    lines = [f"- **{result.label}** {code(clause)}: {prose(english(clause, registry))}"]
    if result.reason:
        lines.append(f"  - reason: {code(result.reason)}")
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
    return "\n".join(lines)


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table; its cells are Markdown."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def prose(text: str) -> str:
    """Return text on one line that neither marks up nor mentions anybody."""
    escaped = re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", one_line(text, 1000))
    return escaped.replace("@", "@\N{ZERO WIDTH SPACE}")
