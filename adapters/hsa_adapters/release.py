"""Which ROCm release a library is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from hsa_spec.model import Registry, Versions

# Releases with a minor version of their own, for naming the last one before a bound.
_MINOR_RELEASES = (
    "5.0", "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7",
    "6.0", "6.1", "6.2", "6.3", "6.4",
    "7.0", "7.1", "7.2",
)  # fmt: skip

_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
_PACKED = re.compile(r"\.(\d{5,6})$")
_BUILD = re.compile(r"rocm-rel-(\d+\.\d+(?:\.\d+)?)")
_UPSTREAM = re.compile(r"^(?:\d+:)?(\d+(?:\.\d+)*)")


@dataclass(frozen=True)
class Release:
    """A release, or the range that it must be in.

    Attributes:
        lowest: the first release it may be, such as "6.1.2", or None for no lower bound.
        highest: the last one it may be, or None for no upper bound.
        how: how this was found, in words.

    """

    lowest: str | None
    highest: str | None
    how: str

    def __str__(self) -> str:
        """Return "6.1.2" for one release, "6.0..6.1", "6.2.." or "..5.7" for a range."""
        if self.lowest == self.highest and self.lowest:
            return self.lowest
        return f"{self.lowest or ''}..{self.highest or ''}"


def find(
    *,
    explicit: str | None,
    manifest: str | None,
    file: str,
    package: Callable[[], str | None],
    exports: frozenset[str],
    registry: Registry,
) -> Release | None:
    """Find the release by the first of these that says anything.

    Args:
        explicit: what the user said.
        manifest: the version in a manifest in a folder above the library.
        file: real path of the library.
        package: asks for name and version of the package that owns the file; may take a while.
        exports: names of the registry's functions that the library exports.
        registry: says since and until when functions exist.

    """
    if explicit:
        return Release(explicit, explicit, "given")
    if manifest and _VERSION.fullmatch(manifest):
        return Release(manifest, manifest, "manifest of the host")
    return (
        from_file_name(PurePath(file).name)
        or from_package(package())
        or from_exports(exports, registry)
    )


def from_file_name(name: str) -> Release | None:
    """Read a name such as "libhsa-runtime64.so.1.11.60102", whose last part packs 6.1.2."""
    packed = _PACKED.search(name)
    if packed is None:
        return None
    return _exactly(_unpack(int(packed[1])), f"file name {name}")


def from_package(package: str | None) -> Release | None:
    """Read name and version of a package.

    Args:
        package: such as "libhsa-runtime64-1 5.2.3-3", or with the release packed in the last part
            as in "hsa-rocr 1.13.0.60102-119"; None when no package owns the library.

    """
    upstream = _UPSTREAM.match(package.rpartition(" ")[2]) if package else None
    if upstream is None:
        return None
    packed = _PACKED.search(upstream[1])
    return _exactly(_unpack(int(packed[1])) if packed else upstream[1], f"package {package}")


def from_queries(answers: Mapping[str, int | str], registry: Registry) -> Release | None:
    """Read the library's own answers to hsa_system_get_info.

    Args:
        answers: by attribute; of use are HSA_AMD_SYSTEM_INFO_BUILD_VERSION (text), and
            HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR and _MINOR together.
        registry: says which interface version came with which release.

    """
    build = _BUILD.search(str(answers.get("HSA_AMD_SYSTEM_INFO_BUILD_VERSION", "")))
    if build:
        return _exactly(build[1], f"build version {build[0]}")
    major = answers.get("HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR")
    minor = answers.get("HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR")
    if major is None or minor is None:
        return None
    interface = f"{major}.{minor}"
    known = [v for v in _all_versions(registry) if v.amd_interface and v.rocm]
    has = [v for v in known if _key(v.amd_interface) <= _key(interface)]
    lacks = [v for v in known if _key(v.amd_interface) > _key(interface)]
    return _between(
        [v.rocm for v in has], [v.rocm for v in lacks], f"interface version {interface}"
    )


def from_exports(exports: frozenset[str], registry: Registry) -> Release | None:
    """Bound the release by the functions that the library exports and those that it lacks."""
    linked = [f for f in registry.functions.values() if f.export == "linker"]
    present = [f.versions for f in linked if f.name in exports]
    absent = [f.versions for f in linked if f.name not in exports]
    if not present:
        return None
    return _between(
        [v.rocm for v in present] + [v.until_rocm for v in absent],
        [v.rocm for v in absent if not v.until_rocm] + [v.until_rocm for v in present],
        "exported symbols",
    )


def _all_versions(registry: Registry) -> list[Versions]:
    return [f.versions for f in registry.functions.values()]


def _between(since: list[str | None], before: list[str | None], how: str) -> Release | None:
    """Return the range from the last of `since` to the last release before all of `before`."""
    lowest = max(filter(None, since), key=_key, default=None)
    bound = min(filter(None, before), key=_key, default=None)
    earlier = [r for r in _MINOR_RELEASES if bound and _key(r) < _key(bound)]
    highest = max(earlier, key=_key, default=None)
    if (lowest and highest and _key(lowest) > _key(highest)) or not (lowest or highest):
        return None
    return Release(lowest, highest, how)


def _exactly(release: str, how: str) -> Release:
    return Release(release, release, how)


def _unpack(number: int) -> str:
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _key(version: str | None) -> tuple[int, ...]:
    """Return a dotted version as numbers that compare."""
    return tuple(int(part) for part in (version or "0").split("."))
