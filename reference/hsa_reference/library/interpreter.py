"""The Python that a built library is tied to: where it is, and which one it must be."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import hsa_spec
from hsa_reference.library.errors import LibraryError


@dataclass(frozen=True)
class Interpreter:
    """One Python, with everything that a program without Python needs to start it.

    Attributes:
        version: the full text of sys.version, which C sees as Py_GetVersion().
        hexversion: sys.hexversion, which C sees as PY_VERSION_HEX.
        prefix: folder of the installation; a virtual environment's base.
        program: the executable.
        libpython: the shared library.
        include: folder that holds Python.h.
        stdlib: folder of the standard library.
        search_path: folders of hsa_spec, hsa_reference and the packages that they need.

    """

    version: str
    hexversion: int
    prefix: Path
    program: Path
    libpython: Path
    include: Path
    stdlib: Path
    search_path: tuple[Path, ...]

    @classmethod
    def current(cls) -> Interpreter:
        """Describe the Python that runs this.

        Raises:
            LibraryError: it has no shared library or no headers.

        """
        return cls(
            version=sys.version,
            hexversion=sys.hexversion,
            prefix=Path(sys.base_prefix),
            program=Path(sys.executable),
            libpython=_libpython(),
            include=_include(),
            stdlib=Path(sysconfig.get_path("stdlib")),
            search_path=tuple(dict.fromkeys(_search_path())),
        )


def _libpython() -> Path:
    name = str(sysconfig.get_config_var("INSTSONAME") or "")
    # Relocated installations keep the LIBDIR of the machine that they were compiled on.
    folders = (sysconfig.get_config_var("LIBDIR"), f"{sys.base_prefix}/lib")
    for folder in folders:
        path = Path(str(folder), name)
        if ".so" in name and path.is_file():
            return path
    short = f"{sys.version_info.major}.{sys.version_info.minor}"
    raise LibraryError(
        f"{sys.executable} has no shared libpython{short}, which a C program needs to start it: "
        f"install it (Debian and Ubuntu: libpython{short}; pyenv: install Python again with "
        "PYTHON_CONFIGURE_OPTS=--enable-shared), or use a Python that has one"
    )


def _include() -> Path:
    folder = Path(sysconfig.get_path("include"))
    if not (folder / "Python.h").is_file():
        short = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise LibraryError(
            f"there is no Python.h in {folder}: install the headers of Python {short} "
            f"(Debian and Ubuntu: python{short}-dev; Fedora: python3-devel)"
        )
    return folder


def _search_path() -> Iterator[Path]:
    yield Path(hsa_spec.__file__).resolve().parents[1]
    yield Path(__file__).resolve().parents[2]
    device = find_spec("hsa_device")  # which is imported when a kernel is first dispatched
    if device and device.origin:
        yield Path(device.origin).resolve().parents[1]
    for entry in sys.path:
        # Distributions such as Nix and Spack have one of these folders per package.
        if Path(entry).name in ("site-packages", "dist-packages"):
            yield Path(entry).absolute()
