"""What the built file is, and what is said when it cannot be built."""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from hsa_reference.library import Interpreter, LibraryError, build
from hsa_spec import Registry


@pytest.fixture
def elf(toy_library: Path) -> Iterator[ELFFile]:
    with toy_library.open("rb") as file:
        yield ELFFile(file)


def section(elf: ELFFile, name: str) -> Any:
    """Return a section, whose kind follows from its name."""
    return elf.get_section_by_name(name)


def tags(elf: ELFFile, tag: str) -> list[Any]:
    return [t for t in section(elf, ".dynamic").iter_tags() if t.entry.d_tag == tag]


def test_soname_is_that_of_rocr(elf: ELFFile) -> None:
    assert ["libhsa-runtime64.so.1"] == [t.soname for t in tags(elf, "DT_SONAME")]


def test_exactly_the_linker_functions_and_the_hook_for_testers_are_exported(
    elf: ELFFile, toy: Registry
) -> None:
    names = {
        version.entry.vd_ndx: next(iter(auxiliaries)).name
        for version, auxiliaries in section(elf, ".gnu.version_d").iter_versions()
    }
    versions = section(elf, ".gnu.version")
    found = {
        (symbol.name, names[versions.get_symbol(index).entry["ndx"]])
        for index, symbol in enumerate(section(elf, ".dynsym").iter_symbols())
        if symbol.entry.st_shndx != "SHN_UNDEF" and symbol.entry.st_info.type == "STT_FUNC"
    }

    expected = {(f.name, "ROCR_1") for f in toy.functions.values() if f.export == "linker"}
    assert expected | {("hsa_conformance_before_fork", "HSA_CONFORMANCE_1")} == found


def test_python_is_not_linked(elf: ELFFile) -> None:
    assert [] == [t.needed for t in tags(elf, "DT_NEEDED") if "python" in t.needed]


def test_link_for_linkers_points_to_the_library(toy_library: Path) -> None:
    assert toy_library == toy_library.with_name("libhsa-runtime64.so").resolve()


def test_source_is_kept_beside_the_library_and_nothing_else(toy_library: Path) -> None:
    expected = ["libhsa-runtime64.c", "libhsa-runtime64.so", "libhsa-runtime64.so.1"]

    assert expected == sorted(p.name for p in toy_library.parent.iterdir())


def test_library_that_a_program_may_have_mapped_is_replaced_and_not_overwritten(
    toy_library: Path, toy: Registry, toy_python: Interpreter
) -> None:
    before = toy_library.stat().st_ino
    with toy_library.open("rb") as held:
        build(toy_library.parent, toy, toy_python)

        assert before != toy_library.stat().st_ino
        assert b"\x7fELF" == held.read(4)


def test_folder_that_cannot_be_written_is_named(
    tmp_path: Path, toy: Registry, toy_python: Interpreter
) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(LibraryError, match=r"cannot write to .*/file/out .*name a folder"):
        build(tmp_path / "file" / "out", toy, toy_python)


def test_missing_compiler_is_named(
    tmp_path: Path, toy: Registry, toy_python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -m64")

    with pytest.raises(LibraryError, match=r"no C compiler 'no-such-compiler': install one"):
        build(tmp_path, toy, toy_python)


def test_compilers_own_words_are_shown_when_it_fails(
    tmp_path: Path, toy: Registry, toy_python: Interpreter
) -> None:
    other = replace(toy_python, hexversion=0x03000000)

    with pytest.raises(LibraryError, match=r"cannot compile(.|\n)*Python.h is of another version"):
        build(tmp_path, toy, other)


def test_python_without_a_shared_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", {"INSTSONAME": "libpython3.11.a"}.get)

    with pytest.raises(LibraryError, match=r"no shared libpython3\.\d+.*: install it"):
        Interpreter.current()


def test_python_without_headers_is_refused(
    python: Interpreter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        sysconfig, "get_path", {"include": tmp_path, "stdlib": python.stdlib}.__getitem__
    )

    with pytest.raises(LibraryError, match=r"no Python\.h in .*: install the headers"):
        Interpreter.current()


def test_path_that_is_not_utf8_is_refused(
    tmp_path: Path, toy: Registry, toy_python: Interpreter
) -> None:
    other = replace(toy_python, program=toy_python.program / "\udcff")

    with pytest.raises(LibraryError, match="is not UTF-8"):
        build(tmp_path, toy, other)


def test_parameter_of_an_unknown_type_is_named(
    tmp_path: Path, one: Callable[..., Any], toy_python: Interpreter
) -> None:
    with pytest.raises(LibraryError, match=r"'hsa_dim3_t' of parameter p0 of hsa_one is not known"):
        build(tmp_path, one("hsa_dim3_t"), toy_python)


def test_answer_that_cannot_be_passed_on_is_named(
    tmp_path: Path, one: Callable[..., Any], toy_python: Interpreter
) -> None:
    with pytest.raises(LibraryError, match=r"hsa_one answers const char\*, which"):
        build(tmp_path, one(result="const char*"), toy_python)
