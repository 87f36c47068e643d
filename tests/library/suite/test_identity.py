"""Which release a library is judged as, and what is said about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_adapters.protocol import Subject
from hsa_conformance.engine.session.identity import Identity, own_version, release_of
from hsa_conformance.engine.session.session import Session
from hsa_spec import Registry
from hsa_spec.releases import NO_INTERFACE, Release
from hsa_spec.sets import named_sets

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
    assert ("1.4", False) == (found.release.interface, found.release.is_rocm)


def alone(hsa: str) -> Release:
    """Return an HSA version without AMD's extension."""
    return Release(interface=NO_INTERFACE, hsa=hsa)


def of_another(
    registry: Registry,
    answer: tuple[int, int] | None,
    exports: frozenset[str] = frozenset(),
    given: str | None = None,
) -> Identity:
    """Return what is found of a library that is not AMD's."""
    answers: dict[str, int | str] = {}
    if answer:
        for part, number in zip(("MAJOR", "MINOR"), answer, strict=True):
            answers[f"HSA_SYSTEM_INFO_VERSION_{part}"] = number
    return release_of(replace(SUBJECT, exports=exports), answers, None, registry, hsa=given)


def test_another_library_is_judged_by_the_version_that_it_answers(registry: Registry) -> None:
    found = of_another(registry, (1, 0))

    assert (alone("1.0"), "its own answer") == (found.release, found.how)
    assert (
        "Nothing is claimed of it (--claim), so it is judged as HSA 1.0 without AMD's extension "
        "(its own answer): what it lacks of that fails."
    ) == found.notices[-1]
    assert not found.release.has(registry.functions["hsa_agent_iterate_caches"].versions)


def test_what_it_exports_counts_where_it_answers_less(registry: Registry) -> None:
    """The answer is a lower bound."""
    found = of_another(registry, (1, 0), named_sets(registry)["core-1.1"].functions)

    assert alone("1.1") == found.release
    notice, _ = found.notices
    assert "it answers HSA 1.0 and exports the functions of 1.1: judged by those" == notice


def test_nine_tenths_of_the_functions_make_a_version(registry: Registry) -> None:
    core = sorted(named_sets(registry)["core-1.0"].functions)

    assert "1.0" == of_another(registry, None, frozenset(core[: len(core) - 9])).release.hsa
    assert of_another(registry, None, frozenset(core[: len(core) - 10])).release.hsa is None


def test_a_version_that_nobody_published_is_named(registry: Registry) -> None:
    found = of_another(registry, (1, 7))

    assert alone("1.2") == found.release
    assert "it answers HSA 1.7, which was never published: judged as 1.2" == found.notices[0]


def test_the_user_decides_the_version(registry: Registry) -> None:
    found = of_another(registry, (1, 1), given="1.0")
    assert (alone("1.0"), "--hsa-version") == (found.release, found.how)


def test_the_text_that_a_library_names_by_its_address_is_read(session: Session) -> None:
    """The build version is text, and not the bytes of its address."""
    assert "hsa-conformance-reference" == own_version(session)["HSA_AMD_SYSTEM_INFO_BUILD_VERSION"]
