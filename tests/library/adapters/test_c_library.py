"""Libraries that are built for another C library than the Python that is to load them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import MisuseError
from hsa_adapters.worker.library import c_library
from hsa_adapters.worker.library.elf import LoadError

SOURCE = Path(__file__).with_name("fixture.c")

glibc = pytest.mark.skipif(not c_library.own().startswith("glibc"), reason="needs a glibc Python")


def built_for(name: str, folder: Path) -> Path:
    """Return the fixture, linked as if the C library were of another name."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    standin, target = folder / "libstandin.so", folder / "libfixture.so"
    shared = [compiler, "-shared", "-fPIC", "-nostdlib"]
    empty = ["-x", "c", "/dev/null"]
    subprocess.run([*shared, f"-Wl,-soname,{name}", *empty, "-o", standin], check=True)
    subprocess.run([*shared, SOURCE, "-Wl,--no-as-needed", standin, "-o", target], check=True)
    return target


def test_what_a_library_needs_is_read(library: Path) -> None:
    """The names stand in its dynamic section."""
    assert "libc.so.6" in c_library.needed(library.read_bytes())


@glibc
@pytest.mark.parametrize("name", ["libc.musl-x86_64.so.1", "libc.so"])
def test_a_library_for_musl_is_refused(make: Callable[..., Any], tmp_path: Path, name: str) -> None:
    """The message names both C libraries, and how to run it."""
    path = built_for(name, tmp_path)
    with pytest.raises(MisuseError) as caught:
        make(path).start()
    [line] = str(caught.value).splitlines()
    assert f"{path} is built for the C library musl (it needs {name}), and this Python uses" in line
    assert '--via "podman exec -i alpine {argv}"' in line


def test_a_python_that_uses_musl_takes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is refused where the user gives the right Python, or one of which nobody knows."""
    path = built_for("libc.musl-x86_64.so.1", tmp_path)
    for ours in ("musl", "unknown"):
        monkeypatch.setattr(c_library, "own", lambda ours=ours: ours)
        c_library.check(str(path))


@pytest.mark.parametrize(
    ("path", "musl"),
    [
        ("/lib/ld-musl-x86_64.so.1", True),
        ("/usr/lib/x86_64-linux-musl/libc.so", True),
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", False),
        ("[heap]", False),
    ],
)
def test_musl_is_known_by_what_is_mapped(path: str, musl: bool) -> None:
    """Alpine's file is named as the loader, Debian's as the C library."""
    line = f"7f0000000000-7f0000001000 r-xp 00000000 fe:00 1234      {path}\n"
    assert musl == c_library._is_musl(line)


def test_what_glibc_alone_can_preload_is_refused(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Python that uses musl would not even start with it."""
    c_library.check_preloaded(str(library))
    monkeypatch.setattr(c_library, "own", lambda: "musl")
    with pytest.raises(LoadError, match="it is built for glibc, and this Python uses musl"):
        c_library.check_preloaded(str(library))


def test_a_damaged_library_is_left_to_the_loader(library: Path, tmp_path: Path) -> None:
    """Half a file says nothing of its C library."""
    path = tmp_path / "libhalf.so"
    path.write_bytes(library.read_bytes()[:1500])
    c_library.check(str(path))
