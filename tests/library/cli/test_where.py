"""`spec where`: places that a terminal can open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hsa_spec
from tests.library.cli.commands import Command

ROOT = Path(hsa_spec.__file__).parents[1]


def test_places_are_paths_with_lines(command: Command) -> None:
    """Each line begins with a file that is there, and a line in it."""
    done = command("spec", "where", "hsa_amd_vmem_map")
    assert (0, "") == (done.status, done.err)
    for row in done.out.splitlines():
        path, _, rest = row.partition(":")
        line, _, what = rest.partition("  ")
        assert what
        assert int(line) <= len(Path(path).read_text(encoding="utf-8").splitlines())


def test_paths_are_short_below_the_current_folder(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in the current folder is named from there."""
    monkeypatch.chdir(ROOT)
    done = command("spec", "where", "reservation")
    assert done.out.startswith("hsa_spec/conditions/vocabulary/amd/vmem.py:")


def test_places_as_json(command: Command) -> None:
    """The JSON has what the lines have."""
    lines = command("spec", "where", "FLAKY").out.splitlines()
    rows = json.loads(command("spec", "where", "FLAKY", "--json").out)
    assert lines == [f"{row['path']}:{row['line']}  {row['what']}" for row in rows]


def test_unknown_name(command: Command) -> None:
    """An unknown name is wrong use, and one line says what is near."""
    done = command("spec", "where", "hsa_amd_vmem_mapp")
    assert (2, "") == (done.status, done.out)
    assert "nothing is named 'hsa_amd_vmem_mapp'; did you mean hsa_amd_vmem_map" in done.err
    assert 1 == done.err.count("\n")


def test_a_finding(command: Command) -> None:
    """Its page, its program, and the entries that name it."""
    whats = [
        line.partition("  ")[2] for line in command("spec", "where", "agent-names").out.splitlines()
    ]
    assert [
        "finding: The last byte of a GPU's name is not written",
        "the program that shows it",
        "baseline: FAIL of hsa_agent_get_info/name in 5.2.3..7.2.4",
        "baseline: FAIL of hsa_agent_get_info/vendor-name in 5.2.3..7.2.4",
    ] == whats
    assert "did you mean agent-names" in command("spec", "where", "agent-name").err
