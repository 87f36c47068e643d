"""`spec pages` and `spec diff`: what they write and print."""

from __future__ import annotations

import json
from pathlib import Path

from hsa_spec.pages import MARK
from tests.library.cli.commands import Command


def test_pages_are_written(command: Command, tmp_path: Path) -> None:
    """Every function gets a page, in a folder that is made if need be."""
    out = tmp_path / "some" / "reference"
    done = command("spec", "pages", "--out", out)
    assert 0 == done.status
    assert f"{len(list(out.rglob('*.md')))} pages in {out}\n" == done.out
    assert (out / "amd" / "vmem" / "hsa_amd_vmem_map.md").read_text().startswith(MARK)


def test_only_generated_pages_are_replaced(command: Command, tmp_path: Path) -> None:
    """A generated page whose function is gone is removed; a page by other hands stays."""
    gone, kept = tmp_path / "hsa_gone.md", tmp_path / "notes.md"
    gone.write_text(f"{MARK}\n\n# hsa_gone\n")
    kept.write_bytes(b"# Notes \xff\n")
    assert 0 == command("spec", "pages", "--out", tmp_path).status
    assert (False, True) == (gone.exists(), kept.exists())


def test_pages_into_a_file(command: Command, tmp_path: Path) -> None:
    """Where no folder can be, one line says so."""
    (tmp_path / "file").touch()
    done = command("spec", "pages", "--out", tmp_path / "file")
    assert (2, "") == (done.status, done.out)
    assert f"hsa-conformance: cannot write to {tmp_path / 'file'}: " in done.err


def test_diff_as_text(command: Command) -> None:
    """Each change is a line, and the last line has the numbers."""
    done = command("spec", "diff", "6.2", "6.3")
    assert (0, "appears: 2, ends: 1") == (done.status, done.out.splitlines()[-1])
    assert done == command("spec", "diff", "6.2", "6.3", "--text")


def test_diff_as_json(command: Command) -> None:
    """As JSON, each clause of a new function is there too."""
    changes = json.loads(command("spec", "diff", "1.3", "1.4", "--json").out)
    found = {(c["how"], c["what"], c["name"]): c["versions"] for c in changes}
    bounds: dict[str, str | bool | None] = {"amd_interface": "1.4", "rocm": "6.0"}
    bounds |= {"until_rocm": None, "until_interface": None}
    bounds |= {"hsa": None, "until_hsa": None, "never_rocm": False}
    assert bounds == found["appears", "function", "hsa_amd_vmem_map"]
    assert bounds == found["appears", "clause", "hsa_amd_vmem_map/success"]


def test_diff_of_no_version(command: Command) -> None:
    """What is no version is refused in one line."""
    done = command("spec", "diff", "6.2", "latest")
    message = "hsa-conformance: 'latest' is not a version such as 6.1 or 6.1.2\n"
    assert (2, "", message) == done
