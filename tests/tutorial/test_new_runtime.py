"""The tutorial of a new runtime does what it says, step by step."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.tutorial.steps import steps, words

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "new-runtime.md"


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_each_step_does_what_the_page_says(tmp_path: Path) -> None:
    """The code compiles, the commands end as they should, and print what stands below them."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    printed = ""
    for step in steps(PAGE):
        if step.kind == "c":
            with (tmp_path / "mine.c").open("a", encoding="utf-8") as file:
                file.write(step.text)
        elif step.kind == "sh":
            done = subprocess.run(
                ["sh", "-ec", step.text],
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert step.status == done.returncode, f"{step.text}{done.stdout}{done.stderr}"
            printed = words(done.stdout + done.stderr)
        else:
            for line in step.text.splitlines():
                assert words(line) in printed


def test_the_page_has_code_commands_and_output() -> None:
    """A page whose blocks are written in another way is noticed."""
    kinds = [step.kind for step in steps(PAGE)]
    assert {"c": 3, "sh": 8, "text": 6} == Counter(kinds)
