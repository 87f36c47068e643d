"""The fate of each mistake: as a line for people, as a line of JSON, and in a table of all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

#: No clauses.
EMPTY: Final[Mapping[str, str]] = {}


class Outcome(StrEnum):
    """Whether the suite blames the functions that have a mistake."""

    BLAMED = "blamed"  # a clause of theirs fails
    IMITATED = "imitated"  # the same, but the imitated driver is suspected, too
    BLOCKED = "blocked"  # a clause of theirs keeps other clauses from being judged
    SURVIVED = "survived"
    UNREACHED = "unreached"  # no call executes the mistake, so it counts neither way


@dataclass(frozen=True)
class Mistake:
    """A mistake that a campaign judges.

    Args:
        campaign: the kind of campaign, and which library has the mistake.
        kind: the kind of mistake, by which the table counts.
        name: the mistake in words, which are the same wherever it is drawn.
        guilty: the functions that the suite may blame.

    """

    campaign: str
    kind: str
    name: str
    guilty: Collection[str]

    def fate(
        self,
        outcome: Outcome,
        by: Mapping[str, str] = EMPTY,
        others: Mapping[str, str] = EMPTY,
        why: str = "",
    ) -> Fate:
        """Return the fate of the mistake; see `Fate`."""
        return Fate(self.campaign, self.kind, self.name, outcome, dict(by), dict(others), why)


@dataclass(frozen=True)
class Fate:
    """The fate of one mistake.

    Args:
        campaign: that of the mistake, as its kind is.
        kind: by which the table counts.
        mistake: its name.
        outcome: whether the functions that have it are blamed.
        by: the clauses that blame them, with their verdicts.
        others: clauses of other functions that fail, or that can no longer be judged.
        why: why it survived, or a remark.

    """

    campaign: str
    kind: str
    mistake: str
    outcome: Outcome
    by: Mapping[str, str]
    others: Mapping[str, str]
    why: str

    def __str__(self) -> str:
        why = f" ({self.why})" if self.why else ""
        clauses = ", ".join(f"{c} ({v})" for c, v in (*self.by.items(), *self.others.items()))
        return f"{self.outcome:<10}{self.mistake}{why}{f' [{clauses}]' if clauses else ''}"


def write(fate: Fate, path: Path) -> None:
    """Add a fate to a file; processes that write at the same time do not mix their lines."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(fate)) + "\n")


def read(path: Path) -> list[Fate]:
    """Return the fates of a file, the last one of each mistake."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    fates = [Fate(**{**row, "outcome": Outcome(row["outcome"])}) for row in rows]
    return list({(fate.campaign, fate.mistake): fate for fate in fates}.values())


def table(fates: Sequence[Fate]) -> Iterator[str]:
    """Yield lines: how many mistakes of each kind came to what, then who survived, and why."""
    kinds = list(dict.fromkeys(fate.kind for fate in fates))
    width = max(map(len, ["kind", "all", *kinds])) + 2
    heads = "".join(f"{outcome:>11}" for outcome in Outcome)
    yield f"{'kind':<{width}}{'drawn':>6}{heads}{'noticed':>9}"
    for kind in kinds:
        yield f"{kind:<{width}}{_row([f for f in fates if f.kind == kind])}"
    yield f"{'all':<{width}}{_row(fates)}"
    survivors = sorted((f for f in fates if f.outcome is Outcome.SURVIVED), key=lambda f: f.why)
    yield from (f"{fate}" for fate in survivors)


def _row(fates: Sequence[Fate]) -> str:
    counts = Counter(fate.outcome for fate in fates)
    judged = len(fates) - counts[Outcome.UNREACHED]
    share = f"{1 - counts[Outcome.SURVIVED] / judged:.0%}" if judged else "-"
    return f"{len(fates):>6}{''.join(f'{counts[o]:>11}' for o in Outcome)}{share:>9}"


def compared(before: Sequence[Fate], after: Sequence[Fate]) -> tuple[list[Fate], list[str]]:
    """Compare two commits by the mistakes that both judged.

    Returns:
        The later fates of the mistakes that are blamed no longer, and lines about all that differs.

    """
    now = {(fate.campaign, fate.mistake): fate for fate in after}
    keys = {(fate.campaign, fate.mistake): fate for fate in before}
    pairs = [(fate, now.pop(key)) for key, fate in keys.items() if key in now]
    lost = [b for a, b in pairs if a.outcome is Outcome.BLAMED is not b.outcome]
    won = [b for a, b in pairs if b.outcome is Outcome.BLAMED is not a.outcome]
    lines = [f"no longer blamed: {fate.campaign}: {fate}" for fate in lost]
    lines += [f"now blamed: {fate.campaign}: {fate}" for fate in won]
    alone = len(keys) - len(pairs)
    lines.append(f"mistakes in both: {len(pairs)}; only before: {alone}; only after: {len(now)}")
    return lost, lines
