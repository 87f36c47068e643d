"""`compare --reliability`: what holds in which release."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.library.cli.commands import Command

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "reports" / "published"
LINK = re.compile(r"\]\(([^)]+)\)")


def test_only_generated_pages_are_replaced(
    command: Command, run_folder: Path, tmp_path: Path
) -> None:
    """A generated page of what is no more is removed; a page by other hands stays."""
    command("compare", run_folder, "--reliability-pages", tmp_path / "pages")
    kept, gone = tmp_path / "pages" / "notes.md", tmp_path / "pages" / "client-gone.md"
    gone.write_bytes((tmp_path / "pages" / "client-hip.md").read_bytes())
    kept.write_text("# Notes\n")
    assert 0 == command("compare", run_folder, "--reliability-pages", tmp_path / "pages").status
    assert (True, False) == (kept.exists(), gone.exists())


def test_one_run_is_enough_to_see_what_holds(command: Command, run_folder: Path) -> None:
    """Of a group, a function, a clause or a client."""
    done = command("compare", run_folder, "--reliability", "hsa_shut_down")
    assert 0 == done.status
    assert "hsa_shut_down" in done.out
    assert 0 == command("compare", run_folder, "--reliability", "ucx", "--html", "a.html").status
    assert command("compare", run_folder, "--reliability", "vmem", "--json", "-").out.startswith(
        "{"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--reliability", "nope"], "or name a client: llvm-offload, libgomp, iree, ucx, hip"),
        (["--json", "a.json"], "--json goes with --reliability"),
    ],
)
def test_wrong_use_is_told(
    command: Command, run_folder: Path, words: list[str], message: str
) -> None:
    done = command("compare", run_folder, *words)
    assert 2 == done.status
    assert message in done.err
