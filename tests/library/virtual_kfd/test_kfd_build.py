"""Compiling the library, and machines' descriptions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import (
    LIBRARY,
    VirtualKfdError,
    build,
    cached,
    load_machine,
    prepare,
)
from hsa_adapters.virtual_kfd.build import SOURCES, write_header

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@needs_compiler
@pytest.mark.parametrize(
    "source",
    sorted(SOURCES.parent.rglob("*.c")),
    ids=lambda path: str(path.relative_to(SOURCES.parent)),
)
def test_sources_have_no_warnings(source: str, tmp_path: Path) -> None:
    """Each source file compiles without a warning."""
    options = ["-std=gnu11", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    write_header(tmp_path)
    subprocess.run(
        ["cc", *options, "-I", SOURCES, "-I", tmp_path, source], check=True, cwd=tmp_path
    )


#: The layers of the sources, the lowest first.
LAYERS = ("base", "memory", "devices", "calls")


def included(source: Path) -> list[str]:
    """Return what a source or header includes of the driver's own, relative to the sources."""
    return re.findall(r'^#include "(.*)"$', source.read_text(), re.MULTILINE)


@pytest.mark.parametrize("source", sorted(SOURCES.rglob("*.[ch]")), ids=lambda path: path.name)
def test_sources_include_nothing_of_a_layer_above(source: Path) -> None:
    """Each include is of the same layer, or of one below."""
    layer = LAYERS.index(source.parent.name)
    above = [name for name in included(source) if LAYERS.index(name.partition("/")[0]) > layer]
    assert [] == above


def test_no_sources_need_each_other() -> None:
    """A source and its header need others, and are not needed by any of these."""
    needs: defaultdict[str, set[str]] = defaultdict(set)
    for source in SOURCES.rglob("*.[ch]"):
        name = str(source.relative_to(SOURCES).with_suffix(""))
        needs[name] |= {n.removesuffix(".h") for n in included(source)} - {name}
    assert set(needs) <= set(TopologicalSorter(needs).static_order())


@needs_compiler
def test_nothing_but_what_is_interposed_is_exported(machines: Callable[..., Any]) -> None:
    """The library exports functions of the C library and of libdrm, and what a tester asks for."""
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("needs nm")
    library = machines("cpu").library
    listing = subprocess.run(
        [nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True
    )
    exported = {line.split()[-1].partition("@")[0] for line in listing.stdout.splitlines()}
    own = {name for name in exported if not name.startswith(("amdgpu_", "drm", "__"))}
    expected = "open open64 openat openat64 fopen fopen64 opendir access readlink stat stat64"
    expected += " lstat lstat64 ioctl mmap mmap64 munmap hsa_conformance_ledger"
    expected += " dlopen hsa_conformance_imitates_profiler"
    expected += (
        " pthread_create malloc calloc realloc free memalign aligned_alloc posix_memalign valloc"
    )
    assert set(expected.split()) == own


@needs_compiler
def test_the_library_is_compiled_once_for_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time it comes from the cache; another compiler makes another one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", "cc -O0")
    first = cached()
    assert first is not None
    made = first.stat().st_mtime_ns

    assert first == cached()
    assert made == first.stat().st_mtime_ns
    monkeypatch.setenv("CC", "cc -O0 -g0")
    assert first != cached()


@needs_compiler
def test_without_a_cache_the_library_is_compiled_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache folder under a file is no reason to fail."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cached() is None


def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler the message says what to install."""
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(VirtualKfdError, match=r"install one .*gcc and libc6-dev"):
        build(tmp_path)


def test_a_compiler_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the compiler said is told, and no library is left."""
    failing = tmp_path / "cc"
    failing.write_text("#!/bin/sh\necho no such header >&2\nexit 1\n")
    failing.chmod(0o755)
    monkeypatch.setenv("CC", str(failing))
    with pytest.raises(VirtualKfdError, match="no such header"):
        build(tmp_path / "out")
    assert [] == os.listdir(tmp_path / "out")  # noqa: PTH208


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A file in the place of the folder is told of."""
    (tmp_path / "file").touch()
    with pytest.raises(VirtualKfdError, match="name a folder that can be written"):
        build(tmp_path / "file")
    with pytest.raises(VirtualKfdError, match="name a folder that can be written"):
        prepare(load_machine("cpu"), tmp_path / "file", library=tmp_path / LIBRARY)


def test_no_such_machine() -> None:
    """An unknown name is answered with those that there are."""
    with pytest.raises(VirtualKfdError, match="name a machine file, or one of apu, cpu, gfx1100, "):
        load_machine("gfx0")
