"""Finding the release of a library."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.library.release import Release, find, from_file_name, from_package, from_queries


def number(found: Release | None) -> str | None:
    """Return the number of a release, if there is one."""
    return found.number if found else None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("libhsa-runtime64.so.1.11.60102", "6.1.2"),
        ("libhsa-runtime64.so.1.9.50700", "5.7.0"),
        ("libhsa-runtime64.so.1.18.70000", "7.0.0"),
        ("libhsa-runtime64.so.1.15.100203", "10.2.3"),
    ],
)
def test_a_file_name_can_pack_the_release(name: str, expected: str) -> None:
    """The last part holds two digits each of minor and patch."""
    assert number(from_file_name(name)) == expected


@pytest.mark.parametrize("name", ["libhsa-runtime64.so.1", "libhsa-runtime64.so.1.5.0"])
def test_other_file_names_say_nothing(name: str) -> None:
    """A distribution's own numbering is not a release."""
    assert from_file_name(name) is None


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        ("libhsa-runtime64-1 5.2.3-3", "5.2.3"),
        ("hsa-rocr 1.13.0.60102-119~22.04", "6.1.2"),
        ("rocm-runtime 1:6.2.1-1.fc41", "6.2.1"),
    ],
)
def test_a_package_version_names_the_release(package: str, expected: str) -> None:
    """Debian's and Fedora's upstream versions do, and AMD's last part."""
    assert number(from_package(package)) == expected


def test_a_library_of_no_package_has_no_package_version() -> None:
    """Nothing is guessed."""
    assert from_package(None) is None


def test_a_build_version_names_the_release() -> None:
    """ROCr's own answer holds the name of the release branch."""
    answers = {"HSA_AMD_SYSTEM_INFO_BUILD_VERSION": "1.1.13-0-rocm-rel-6.1-119-abc"}
    assert number(from_queries(answers)) == "6.1"


def test_other_build_versions_and_packages_are_not_rocrs() -> None:
    """Nothing is taken for a release of ROCm that does not say so."""
    assert from_queries({"HSA_AMD_SYSTEM_INFO_BUILD_VERSION": "mine 6.1"}) is None
    assert from_queries({}) is None
    assert from_package("my-runtime 6.1-1") is None


def test_sources_are_asked_in_order() -> None:
    """What the user says wins, then manifest, file name, package."""
    nothing: dict[str, Any] = {
        "explicit": None,
        "manifest": None,
        "file": "/lib/libhsa-runtime64.so.1",
        "package": lambda: None,
    }
    everything = nothing | {
        "explicit": "7.0",
        "manifest": "6.4.3",
        "file": "/lib/libhsa-runtime64.so.1.11.60102",
        "package": lambda: "libhsa-runtime64-1 5.2.3-3",
    }
    hows = []
    for name in ("explicit", "manifest", "file", "package"):
        found = find(**everything)
        assert found is not None
        hows.append((found.number, found.how))
        everything[name] = nothing[name]
    assert hows == [
        ("7.0", "given"),
        ("6.4.3", "manifest of the host"),
        ("6.1.2", "file name libhsa-runtime64.so.1.11.60102"),
        ("5.2.3", "package libhsa-runtime64-1 5.2.3-3"),
    ]


def test_a_manifest_above_the_library_is_found(
    make: Callable[..., Any], library: Path, tmp_path: Path
) -> None:
    """It is looked for in the folders above the library's real path, where the library is."""
    folder = tmp_path / "usr" / "lib"
    folder.mkdir(parents=True)
    copy = shutil.copy(library, folder / "libhsa-runtime64.so.1")
    (tmp_path / "hsa-host.json").write_text(json.dumps({"rocr_version": "6.1.2"}))
    subject = make(copy).start()
    assert (subject.release, subject.release_from) == ("6.1.2", "manifest of the host")


def test_what_the_user_says_is_reported(make: Callable[..., Any]) -> None:
    """The report says that the release was given."""
    subject = make(release="6.3").start()
    assert (subject.release, subject.release_from) == ("6.3", "given")
