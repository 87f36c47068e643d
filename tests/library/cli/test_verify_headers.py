"""`spec verify-headers`: what it prints, and its exit status."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.library.cli.commands import Command

pytest.importorskip("clang.cindex", reason="needs libclang: install the extra `headers`")

INSTALLED = Path("/usr/include/hsa")


def headers(folder: Path, text: str) -> Path:
    """Write a header, and return its folder."""
    (folder / "hsa.h").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.skipif(not (INSTALLED / "hsa.h").exists(), reason=f"no HSA headers in {INSTALLED}")
def test_installed_headers_agree(command: Command) -> None:
    """Without differences the exit status is 0, and the last line says what was compared."""
    done = command("spec", "verify-headers", INSTALLED)
    assert (0, "") == (done.status, done.err)
    assert done.out.endswith(": 0 unreadable, 0 differences\n")


def test_differences(command: Command, tmp_path: Path) -> None:
    """Each difference is a line, and makes the exit status 1."""
    folder = headers(tmp_path, "int hsa_init(void);\nvoid hsa_other(void);\n")
    done = command("spec", "verify-headers", folder, "--release", "5.2.3")
    assert (1, "") == (done.status, done.err)
    lines = done.out.splitlines()
    assert "hsa.h:1: hsa_init: the result has the type int, in the registry hsa_status_t" in lines
    assert "hsa.h: hsa_shut_down: not in the header, but the registry has it" in lines
    assert "hsa.h:2: hsa_other: in the header, but not in the registry" in lines
    assert lines[-1].startswith("1 of ")
    assert "compared with the headers of ROCm 5.2.3: 0 unreadable" in lines[-1]


def test_unreadable_construct(command: Command, tmp_path: Path) -> None:
    """What cannot be parsed is named, and makes the exit status 1."""
    done = command("spec", "verify-headers", headers(tmp_path, "hsa_gone_t hsa_init(void);\n"))
    assert 1 == done.status
    first = "hsa.h:1: cannot be parsed: in hsa_init: unknown type name 'hsa_gone_t'"
    assert first == done.out.splitlines()[0]
    assert ": 1 unreadable, " in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "nowhere holds no headers hsa*.h; name the folder that holds hsa.h"),
        ([".", "--release", "new"], "--release: 'new' is not a version such as 6.1 or 6.1.2"),
        ([".", "--release", ""], "--release: the value is empty"),
    ],
)
def test_wrong_use(command: Command, words: list[str], message: str) -> None:
    """A wrong folder or release is one line and exit status 2."""
    done = command("spec", "verify-headers", *words)
    assert (2, "", f"hsa-conformance: {message}\n") == done


def test_without_libclang(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without libclang, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "clang.cindex", None)
    done = command("spec", "verify-headers", headers(tmp_path, "int hsa_init(void);\n"))
    assert (2, "") == (done.status, done.out)
    assert "install hsa-conformance[headers]" in done.err


def test_texts_of_no_one_release_are_not_recorded(command: Command, tmp_path: Path) -> None:
    """What is recorded belongs to one release, and a range is wrong use."""
    folder = headers(tmp_path, "int hsa_init(void);\n")
    done = command("spec", "verify-headers", folder, "--record", "--release", "6.0..6.2")
    message = "--record: name the one release that the headers are of"
    assert (2, "", f"hsa-conformance: {message}\n") == done
