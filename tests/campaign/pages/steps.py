"""The fenced blocks of a page of the documentation: files, commands, and what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One block.

    Attributes:
        kind: "sh" for commands, "text" for what they print, else a language.
        mark: the name of the file that the text is added to, or the status that commands end with.
        text: its lines.

    """

    kind: str
    mark: str
    text: str


def steps(page: Path) -> list[Step]:
    """Return the blocks of a page in their order."""
    return [Step(*found) for found in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def follow(page: Path, folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Do in a folder what a page says, and look whether it prints what the page says.

    Args:
        page: its blocks are done in their order.
        folder: where files are written and commands are run.
        environment: variables that are set for the commands.

    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, **(environment or {})}
    printed = ""
    for step in steps(page):
        if step.kind == "sh":
            done = subprocess.run(
                ["sh", "-ec", step.text],
                cwd=folder,
                env=variables,
                capture_output=True,
                text=True,
                check=False,
            )
            assert int(step.mark or 0) == done.returncode, f"{step.text}{done.stdout}{done.stderr}"
            printed = _words(done.stdout + done.stderr)
        elif step.kind == "text":
            for line in step.text.splitlines():
                assert _words(line) in printed
        else:
            file = folder / step.mark
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as stream:
                stream.write(step.text)


def _words(text: str) -> str:
    """Return a text with one space for whatever stands between its words."""
    return " ".join(text.split())
