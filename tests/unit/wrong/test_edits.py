"""A source is edited in a copy, where the text is there once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wrong.edits import Edit, edited


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "locks.c").write_text("lock(); add(); unlock();\n", "utf-8")
    return folder


def test_the_copy_is_edited_and_the_source_stays(sources: Path, tmp_path: Path) -> None:
    edits = [Edit("locks.c", "add()", "subtract()"), Edit("locks.c", "unlock();", "")]
    copy = edited(sources, edits, tmp_path / "copy")
    assert "lock(); subtract(); \n" == (copy / "locks.c").read_text("utf-8")
    assert "lock(); add(); unlock();\n" == (sources / "locks.c").read_text("utf-8")


@pytest.mark.parametrize("was", ["lock()", "free()"])
def test_text_that_is_not_there_once_is_refused(sources: Path, tmp_path: Path, was: str) -> None:
    with pytest.raises(ValueError, match=r"is not there once in locks\.c"):
        edited(sources, [Edit("locks.c", was, "")], tmp_path / "copy")
