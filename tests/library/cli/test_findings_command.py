"""`findings`: pages and programs on the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hsa_conformance import source_tree
from hsa_conformance.cli import findings as module
from hsa_conformance.cli.errors import CommandError
from hsa_reports import Weight
from tests.finding_programs import compiled_file
from tests.findings import FOLDER, INDEX, pages
from tests.library.cli.commands import Command

INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def test_the_list_has_the_weight_of_each_finding(command: Command) -> None:
    """Names and titles are those of the index, in its order."""
    row = re.compile(r"^\| \[(.+)\]\((\S+)\.md\)", re.MULTILINE)
    expected = [(name, title) for title, name in row.findall(INDEX.read_text())]
    lines = [re.split(" {2,}", line) for line in command("findings", "list").out.splitlines()]
    assert expected == [(name, title) for name, _, title, *_ in lines]
    ranks = [Weight(weight).rank for _, weight, *_ in lines]
    assert sorted(ranks) == ranks


def test_the_list_has_what_is_upstream(command: Command) -> None:
    """Somebody who reports a finding sees that it was reported."""
    lines = {line.split()[0]: line for line in command("findings", "list").out.splitlines()}
    assert lines["cu-mask-not-kept"].endswith("  [ROCm/rocm-systems#9121: test, merged]")
    assert "#" not in lines["agent-names"]


def test_the_index_is_what_the_command_prints(command: Command) -> None:
    """It is made of the weights, the pages and the baseline, and pasted as it is."""
    assert command("findings", "index").out in INDEX.read_text()


def test_a_page_is_printed_as_it_is(command: Command) -> None:
    """`show NAME` prints Markdown."""
    done = command("findings", "show", "agent-names")
    assert (0, (FOLDER / "agent-names.md").read_text()) == (done.status, done.out)


def test_a_program_is_written_to_a_file(command: Command, tmp_path: Path) -> None:
    """It compiles without a warning where no header lies beside it."""
    assert 0 == command("findings", "show", "vmem-map-size", "--c", "--out", "alone.c").status
    assert compiled_file(tmp_path / "alone.c", tmp_path).exists()


@pytest.mark.parametrize("page", pages())
def test_a_program_that_stands_alone_includes_no_file_beside_it(page: str) -> None:
    """Each header is there once."""
    text = module.program(FOLDER / f"{page}.c")
    assert [] == INCLUDED.findall(text)
    assert 1 == text.count("#define FINDING_H\n")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("agent-name", "did you mean agent-names?"),
        ("x", "`findings list` prints the names"),
        ("README", "`findings list` prints the names"),
    ],
)
def test_an_unknown_name_is_refused(name: str, advice: str, command: Command) -> None:
    """The message says what to do."""
    done = command("findings", "show", name)
    assert (2, f"hsa-conformance: there is no finding {name}; {advice}\n") == (
        done.status,
        done.err,
    )


def test_an_installation_without_findings_says_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A distribution may leave them out."""
    monkeypatch.setattr(source_tree, "findings", lambda: None)
    with pytest.raises(CommandError, match="docs/findings of its source"):
        module.folder()
