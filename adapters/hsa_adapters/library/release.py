"""Which ROCm release a library is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
_PACKED = re.compile(r"\.(\d{5,6})$")
_BUILD = re.compile(r"rocm-rel-(\d+\.\d+(?:\.\d+)?)")
#: What the names of packages of ROCr begin with, by distribution.
_PACKAGES = ("libhsa-runtime64", "hsa-rocr", "rocm-runtime", "rocr-runtime")
_UPSTREAM = re.compile(r"^(?:\d+:)?(\d+(?:\.\d+)*)")


@dataclass(frozen=True)
class Release:
    """A release of ROCm.

    Attributes:
        number: such as "6.1.2".
        how: how this was found, in words.

    """

    number: str
    how: str


def find(
    *,
    explicit: str | None,
    manifest: str | None,
    file: str,
    package: Callable[[], str | None],
) -> Release | None:
    """Find the ROCm release by the first of these that says that it is one.

    Args:
        explicit: what the user said.
        manifest: the version in a manifest in a folder above the library.
        file: real path of the library.
        package: asks for name and version of the package that owns the file; may take a while.

    """
    if explicit:
        return Release(explicit, "given")
    if manifest and _VERSION.fullmatch(manifest):
        return Release(manifest, "manifest of the host")
    return from_file_name(PurePath(file).name) or from_package(package())


def from_file_name(name: str) -> Release | None:
    """Read a name such as "libhsa-runtime64.so.1.11.60102", whose last part packs 6.1.2."""
    packed = _PACKED.search(name)
    if packed is None:
        return None
    return Release(_unpack(int(packed[1])), f"file name {name}")


def from_package(package: str | None) -> Release | None:
    """Read name and version of a package.

    Args:
        package: such as "libhsa-runtime64-1 5.2.3-3", or with the release packed in the last part
            as in "hsa-rocr 1.13.0.60102-119"; None when no package owns the library. Packages that
            are not ROCr's say nothing.

    """
    name, _, version = (package or "").rpartition(" ")
    upstream = _UPSTREAM.match(version) if name.startswith(_PACKAGES) else None
    if upstream is None:
        return None
    packed = _PACKED.search(upstream[1])
    return Release(_unpack(int(packed[1])) if packed else upstream[1], f"package {package}")


def from_queries(answers: Mapping[str, int | str]) -> Release | None:
    """Read the library's own answers to hsa_system_get_info.

    Args:
        answers: by attribute; of use is HSA_AMD_SYSTEM_INFO_BUILD_VERSION, a text.

    """
    build = _BUILD.search(str(answers.get("HSA_AMD_SYSTEM_INFO_BUILD_VERSION", "")))
    return Release(build[1], f"build version {build[0]}") if build else None


def _unpack(number: int) -> str:
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
