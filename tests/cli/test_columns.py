"""What commands print into a pipe is 80 columns wide, where no word or command is longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Command

PUBLISHED = Path(__file__).parents[2] / "reports" / "published"
OLDER, NEWER = (str(PUBLISHED / v / "events.jsonl.gz") for v in ("6.4.3", "7.2.4"))


@pytest.mark.parametrize(
    "words",
    [
        ("spec", "show", "hsa_amd_vmem_map"),
        ("spec", "show", "HSA_STATUS_ERROR"),
        ("spec", "show", "queue"),
        ("spec", "diff", "6.1", "6.2"),
        ("spec", "sets"),
        ("spec", "terms"),
        ("findings", "list"),
        ("compare", OLDER, NEWER),
        ("check", "hsa_shut_down"),
        ("run", "--help"),
    ],
    ids=" ".join,
)
def test_lines_fit_a_small_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.delenv("COLUMNS")
    done = command(*words)
    assert done.out
    wide = [line for line in done.out.splitlines() if len(line) > 80]
    assert [] == [
        line for line in wide if len(line.split()) > 1 and "hsa-conformance run" not in line
    ]
