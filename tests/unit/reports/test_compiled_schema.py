"""Schemas that were made into code before are read from the user's cache."""

from __future__ import annotations

from pathlib import Path

import fastjsonschema
import pytest

from hsa_reports.compiled_schema import FOLDER, compiled

SCHEMA = {"type": "object", "required": ["event"], "properties": {"event": {"const": "one"}}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of code in an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "hsa-conformance" / FOLDER


def holds(value: object) -> bool:
    try:
        compiled(SCHEMA)(value)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


def test_code_is_kept_and_judges_as_before(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (True, False) == (holds({"event": "one"}), holds({"event": "two"}))
    [_] = folder.iterdir()
    monkeypatch.delattr(fastjsonschema, "compile_to_code")
    assert (True, False, False) == (holds({"event": "one"}), holds({"event": "two"}), holds({}))


@pytest.mark.parametrize("keep", [0, 10, -1])
def test_code_that_was_cut_short_is_made_anew(folder: Path, keep: int) -> None:
    assert holds({"event": "one"})
    [file] = folder.iterdir()
    file.write_bytes(file.read_bytes()[:keep])
    assert (True, False) == (holds({"event": "one"}), holds({"event": "two"}))


def test_another_schema_has_code_of_its_own(folder: Path) -> None:
    assert not holds({"event": "two"})
    compiled({"type": "object"})({"event": "two"})
    assert 2 == len(list(folder.iterdir()))


def test_defaults_are_left_out(folder: Path) -> None:
    """What is checked stays as it is."""
    value: dict[str, object] = {}
    compiled({"type": "object", "properties": {"event": {"default": "one"}}})(value)
    assert {} == value
    assert folder.is_dir()


def test_without_a_cache_schemas_are_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    assert (True, False) == (holds({"event": "one"}), holds({"event": "two"}))
