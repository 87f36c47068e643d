"""Libraries that are built for another C library than the Python that is to load them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import MisuseError
from hsa_adapters.worker import c_library

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


def test_a_damaged_library_is_left_to_the_loader(library: Path, tmp_path: Path) -> None:
    """Half a file says nothing of its C library."""
    path = tmp_path / "libhalf.so"
    path.write_bytes(library.read_bytes()[:1500])
    c_library.check(str(path))
