"""Which release a library is judged as, and what is said about it."""

from __future__ import annotations

import pytest

from hsa_adapters.protocol import Subject
from hsa_conformance.engine.identity import Identity, release_of
from hsa_spec import Registry
from hsa_spec.releases import Release

SUBJECT = Subject("library", "library", "/lib.so", None, frozenset())


def identity(registry: Registry, given: str | None, interface: tuple[int, int] | None) -> Identity:
    """Return what is found where the user says one thing, and the library another."""
    answers: dict[str, int | str] = {}
    if interface:
        for part, number in zip(("MAJOR", "MINOR"), interface, strict=True):
            answers[f"HSA_AMD_SYSTEM_INFO_EXT_VERSION_{part}"] = number
    return release_of(SUBJECT, answers, given, registry)


def test_what_the_user_says_hides_nothing_of_what_the_library_says(registry: Registry) -> None:
    """A library that has virtual memory is held to it, however old it is said to be."""
    found = identity(registry, "5.2.3", (1, 15))

    assert Release("5.2.3", "5.2.3", "1.15") == found.release
    assert found.release.has(registry.functions["hsa_amd_vmem_map"].versions)
    [notice] = found.notices
    assert notice.startswith("--release says 5.2.3, and the library itself says ")


@pytest.mark.parametrize(
    ("given", "minor"), [("6.1.2", 4), ("6.1", 4), ("6.4.3", 7), ("7.2.4", 15)]
)
def test_who_says_the_same_is_told_nothing(registry: Registry, given: str, minor: int) -> None:
    assert () == identity(registry, given, (1, minor)).notices


@pytest.mark.parametrize("given", ["7.0", "7.1.3", "10.0"])
def test_a_release_that_nobody_recorded_is_judged_by_its_interface(
    registry: Registry, given: str
) -> None:
    found = identity(registry, given, (1, 16))

    assert Release(given, given, "1.16") == found.release
    assert any("the library's own interface version 1.16" in n for n in found.notices)


def test_a_release_that_nobody_recorded_may_say_nothing_of_itself(registry: Registry) -> None:
    [notice] = identity(registry, "7.1", None).notices
    assert "ROCm 7.1 is not among the releases that are recorded" in notice
    assert "what may be missing is not judged" in notice


def test_without_a_word_of_the_user_the_library_decides(registry: Registry) -> None:
    found = identity(registry, None, (1, 4))
    assert (Release("6.0", "6.1", "1.4"), ()) == (found.release, found.notices)
