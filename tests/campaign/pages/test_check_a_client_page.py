"""The page about checks: its client, its commands, and what is said of the client."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hsa_reference.library import Interpreter, LibraryError
from tests.campaign.pages.steps import DOCS, follow

PAGE = DOCS / "how-to" / "check-a-client.md"


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_client_of_the_page_is_accused_as_the_page_says(tmp_path: Path) -> None:
    try:
        Interpreter.current()
    except LibraryError as error:
        pytest.skip(str(error))
    follow(PAGE, tmp_path)
