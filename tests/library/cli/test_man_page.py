"""The man page has all commands and options that there are, and no others."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hsa_conformance.cli import parser

PAGE = Path(__file__).parents[3] / "docs" / "man" / "hsa-conformance.1"


def options(command: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the long options of a command and of those below it, and their names."""
    for action in command._actions:
        yield from (word for word in action.option_strings if word.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield name
                yield from options(below)


def test_it_has_the_commands_and_options_that_there_are() -> None:
    """`tox -e man` makes it anew."""
    text = PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    known = set(options(parser())) - {"--help"}
    named = set(re.findall(r"\\fB(--[a-z-]+)\\fR", text))
    assert [] == sorted(word for word in known if word not in text)
    assert [] == sorted(named - known)


@pytest.mark.skipif(shutil.which("man") is None, reason="needs man")
def test_man_shows_it_without_a_warning() -> None:
    done = subprocess.run(
        ["man", "--warnings", "--local-file", PAGE], capture_output=True, text=True, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert "hsa-conformance" in done.stdout
