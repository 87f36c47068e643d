"""The record of edits that nothing notices, with a place for what a person says of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import yaml

from tests.campaign.rocr_mutants.edit import Edit
from tests.wrong.fates import Fate, Outcome

_HEAD: Final = """\
# Edits that nothing notices. Write the verdict of each, and why: equivalent (no caller can see it),
# hardware (only a real device shows it), or visible (a check is missing).
"""


class Kind(StrEnum):
    """Whether anybody could notice an edit."""

    EQUIVALENT = "equivalent"
    HARDWARE = "hardware"
    VISIBLE = "visible"


@dataclass(frozen=True)
class Verdict:
    """What a person says of an edit.

    Args:
        kind: whether anybody could notice it; None where nobody has said so yet.
        because: the argument, or by which check it would be found.

    """

    kind: Kind | None = None
    because: str = ""


def record(
    path: Path, survivors: Mapping[str, Edit], judged: Collection[str]
) -> Mapping[str, Verdict]:
    """Write survivors to a record, which keeps the verdicts that it has; return those of survivors.

    Args:
        path: the file.
        survivors: the edits, by their names in the report.
        judged: the names of all that were judged; what the record has of others stays.

    Raises:
        ValueError: a verdict in the record is none of the three.

    """
    known = {row["edit"]: row for row in _rows(path)}
    verdicts = {name: _verdict(known.get(name, {})) for name in survivors}
    kept = {name: row for name, row in known.items() if name not in judged}
    new = {name: _row(name, edit, verdicts[name]) for name, edit in survivors.items()}
    rows = [*(kept | new).values()]
    text = yaml.safe_dump(rows, sort_keys=False, width=100, allow_unicode=True)
    path.write_text(_HEAD + text, "utf-8")
    return verdicts


def _rows(path: Path) -> Sequence[Mapping[str, Any]]:
    return yaml.safe_load(path.read_text("utf-8")) or () if path.exists() else ()


def _verdict(row: Mapping[str, Any]) -> Verdict:
    kind = row.get("verdict")
    return Verdict(Kind(kind) if kind else None, row.get("because", ""))


def _row(name: str, edit: Edit, verdict: Verdict) -> Mapping[str, Any]:
    return {
        "edit": name,
        "file": edit.file,
        "line": edit.line,
        "operator": f"{edit.operator}",
        "function": edit.function,
        "was": edit.old,
        "is": edit.edited,
        "verdict": verdict.kind and f"{verdict.kind}",
        "because": verdict.because,
    }


def shares(fates: Sequence[Fate], verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """Yield lines: how many edits are noticed, of those that are reached, and of visible ones.

    Args:
        fates: of the edits.
        verdicts: of the survivors, by the names of the edits.

    """
    reached = [fate for fate in fates if fate.outcome is not Outcome.UNREACHED]
    noticed = [fate for fate in reached if fate.outcome is not Outcome.SURVIVED]
    yield f"noticed of all that are reached: {_share(noticed, reached)}"
    kinds = [verdict.kind for verdict in verdicts.values()]
    if unknown := kinds.count(None):
        yield f"survivors without a verdict: {unknown}"
    else:
        visible = [*noticed, *(kind for kind in kinds if kind is Kind.VISIBLE)]
        yield f"noticed of all that are visible: {_share(noticed, visible)}"


def _share(some: Collection[object], all_: Collection[object]) -> str:
    return f"{len(some)} of {len(all_)}" + (f" ({len(some) / len(all_):.0%})" if all_ else "")
