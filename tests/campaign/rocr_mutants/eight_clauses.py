"""A suite in the place of `hsa-conformance`, of eight clauses: it knows what each edit breaks."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Final

from hsa_reports import Verdict
from tests.unit.reports.report_samples import ENDED, STARTED, make_result, write_events

#: Edits, by a name for what becomes of them.
NEAR, FAR, UNREACHED, UNSTEADY, THREAD, FLAKY, BESIDE, HIDING, RULE, CHANCE, ENDING = range(1, 12)

CLAUSES: Final = (
    "hsa_agent_get_info/near",
    "hsa_agent_get_info/unsteady",
    "hsa_agent_get_info/flaky",
    "hsa_shut_down/far",
    "hsa_shut_down/beside",
    "hsa_shut_down/by-chance",
    "hsa_system_get_info/hides",
    "tools/rule",
)
BROKEN: Final = {
    NEAR: "hsa_agent_get_info/near",
    FAR: "hsa_shut_down/far",
    UNSTEADY: "hsa_agent_get_info/unsteady",
    FLAKY: "hsa_agent_get_info/flaky",
    BESIDE: "hsa_shut_down/beside",
    HIDING: "hsa_system_get_info/hides",
    RULE: "tools/rule",
    CHANCE: "hsa_shut_down/by-chance",
}
#: The function by which a rule is selected.
ABOUT: Final = {"tools/rule": "hsa_system_get_info"}
#: Edits that calls of no function lead to, and calls of each function.
FUNCTIONS: Final = {1: "hsa_agent_get_info", 2: "hsa_shut_down", 3: "hsa_system_get_info"}
REACHED: Final = ((THREAD,), (NEAR, FAR, UNSTEADY, FLAKY), (BESIDE, CHANCE), (HIDING, RULE, ENDING))


def note_reached(path: Path) -> None:
    """Write which edits were reached, as the library does."""
    rows = bytearray(1024 * len(REACHED))
    for row, numbers in enumerate(REACHED):
        for number in numbers:
            rows[row * 1024 + number] = 1
    path.write_bytes(rows)


def verdict(clause: str, name: str) -> Verdict:
    """Return the verdict of a clause.

    Without an edit one of them fails in the second run, and one where it is tried once more.
    """
    numbers = {int(n) for n in os.environ.get("HSA_EDITS", "").split(",") if n}
    if ENDING in numbers:
        return Verdict.NOT_RUN
    on = {BROKEN.get(n) for n in numbers}
    if BROKEN[HIDING] in on - {clause}:
        return Verdict.BLOCKED
    if clause in on:
        return Verdict.FLAKY if clause == BROKEN[FLAKY] else Verdict.FAIL
    chance = {"unedited-2": BROKEN[UNSTEADY], "unedited": BROKEN[CHANCE]}
    wrong = [c for end, c in chance.items() if name.removesuffix(".unfinished").endswith(end)]
    return Verdict.FAIL if clause in wrong else Verdict.PASS


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--select", action="append", default=[])
    parser.add_argument("--out", type=Path)
    chosen, _ = parser.parse_known_args()
    if name := os.environ.get("HSA_EDITS_REACHED"):
        note_reached(Path(name))
    selected = set(chosen.select)
    judged = tuple(
        c for c in CLAUSES if not selected or {c, ABOUT.get(c, c.split("/")[0])} & selected
    )
    results = [make_result(c, verdict(c, chosen.out.name)) for c in judged]
    chosen.out.mkdir()
    started = replace(STARTED, clauses=judged)
    write_events(chosen.out / "events.jsonl", [started, *results, ENDED])


if __name__ == "__main__":
    main()
