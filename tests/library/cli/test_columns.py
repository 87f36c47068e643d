"""What commands print is 80 columns wide, where no word or command is longer.

What is made for a program or a file (C, JSON, Markdown, `path:line`) is not broken, and what is
said on standard error into a pipe stays in one line.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import termios
from pathlib import Path

import pytest

from tests.library.cli.commands import Command
from tests.library.cli.conftest import SCRIPTS

PUBLISHED = Path(__file__).parents[3] / "reports" / "published"
OLDER, NEWER = (str(PUBLISHED / v / "events.jsonl.gz") for v in ("6.4.3", "7.2.4"))


@pytest.mark.parametrize(
    "words",
    [
        ("spec", "list"),
        ("spec", "coverage", "loader"),
        ("spec", "coverage", "--reference", "core/init"),
        ("spec", "show", "hsa_amd_vmem_map"),
        ("spec", "show", "HSA_STATUS_ERROR"),
        ("spec", "show", "queue"),
        ("spec", "diff", "6.1", "6.2"),
        ("spec", "sets"),
        ("spec", "terms"),
        ("findings", "list"),
        ("hosts", "list"),
        ("virtual-kfd", "machines"),
        ("baseline", "check", "rocr", NEWER),
        ("compare", OLDER, NEWER),
        ("run", "--dry-run", "--select", "hsa_init"),
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
    assert [] == too_wide(done.out)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("run", "-n", "1", "--select", "hsa_shut_down", "--out", "made"), 0),
        (("merge", "nowhere", "--out", "made"), 2),
        (("spec", "show", "hsa_nothing_has_this_name"), 2),
    ],
    ids=("run", "merge", "spec show"),
)
def test_a_terminal_gets_lines_that_fit(
    tmp_path: Path, words: tuple[str, ...], status: int
) -> None:
    """Progress and errors as well; colours count as nothing."""
    ended, shown = on_terminal(tmp_path, *words)
    assert (status, []) == (ended, too_wide(shown)), shown
    assert shown


def too_wide(text: str) -> list[str]:
    """Return the lines that are broken nowhere although they could be."""
    wide = [line for line in text.splitlines() if len(line) > 80]
    return [line for line in wide if len(line.split()) > 1 and "hsa-conformance run" not in line]


def on_terminal(folder: Path, *words: str) -> tuple[int, str]:
    """Run a command on a terminal of 80 columns, and return its status and what it showed."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 80))
    variables = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = subprocess.Popen(
        [SCRIPTS / "hsa-conformance", *words],
        cwd=folder,
        env=variables | {"TERM": "xterm-256color"},
        stdin=its,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    shown = b""
    try:
        while part := os.read(ours, 1 << 16):
            shown += part
    except OSError:  # nobody has it open any more
        pass
    finally:
        os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8"))
    return command.wait(), text.replace("\r\n", "\n").replace("\r", "\n")
