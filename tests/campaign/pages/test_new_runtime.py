"""The tutorial of a new runtime does what it says, step by step."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.campaign.pages.steps import DOCS, follow, steps

PAGE = DOCS / "tutorial" / "new-runtime.md"


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_each_step_does_what_the_page_says(tmp_path: Path) -> None:
    """The code compiles, the commands end as they should, and print what stands below them."""
    follow(PAGE, tmp_path)


def test_the_page_has_code_commands_and_output() -> None:
    """A page whose blocks are written in another way is noticed."""
    assert {"c": 3, "sh": 8, "text": 6} == Counter(step.kind for step in steps(PAGE))
