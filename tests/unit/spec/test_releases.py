"""Releases are compared with three answers: yes, no, and unknown."""

from __future__ import annotations

import pytest

from hsa_spec import Registry, Versions
from hsa_spec.model import Enum, Enumerator
from hsa_spec.releases import NO_INTERFACE, Release, interface_of, numbers

VMEM = Versions(amd_interface="1.4", rocm="6.0")
ALIGN = Versions(amd_interface="1.6", rocm="6.2")
ENDED = Versions(until_rocm="6.3")
ENDED_BEFORE = Versions(until_rocm="6.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, Release()),
        ("", Release()),
        ("6.1.2", Release("6.1.2", "6.1.2")),
        ("6.0..6.1", Release("6.0", "6.1")),
        ("6.2..", Release("6.2", None)),
        ("..5.7", Release(None, "5.7")),
    ],
)
def test_parse(text: str | None, expected: Release) -> None:
    """One release, a range, and a range that is open at an end can be written."""
    assert expected == Release.parse(text)


def test_parse_keeps_the_interface() -> None:
    """The interface version that a library claims goes along."""
    assert Release("6.1", "6.1", "1.4") == Release.parse("6.1", "1.4")
    assert Release(interface="1.4") == Release.parse(None, "1.4")


@pytest.mark.parametrize(
    ("release", "expected"),
    [("5.7", {2, 3}), ("6.2", {4}), (None, {2, 3, 4}), ("5.9..6.1", {2, 3, 4})],
)
def test_values_that_a_release_is_not_known_to_have(
    release: str | None, expected: set[int]
) -> None:
    """A second name that it does have makes no difference: it may have marked the end."""
    enumerators = (
        Enumerator("ONE", 1, "always"),
        Enumerator("END", 2, "always, before it had another name, too"),
        Enumerator("TWO", 2, "later", VMEM),
        Enumerator("THREE", 3, "later", VMEM),
        Enumerator("FOUR", 4, "no more", ENDED_BEFORE),
    )
    enum = Enum("hsa_do_t", "hsa.h", "core/do", "what to do", enumerators)
    assert expected == Release.parse(release).not_known(enum)


@pytest.mark.parametrize(
    "text", ["six", "6.", ".6", "6.x", "6.0...6.1", "6.0..x", "-6", "6,1", "²"]
)
def test_parse_refuses(text: str) -> None:
    """Anything else is refused with an example of what is right."""
    with pytest.raises(ValueError, match=r"is not a version such as 6\.1 or 6\.1\.2"):
        Release.parse(text)


def test_parse_refuses_a_range_of_nothing() -> None:
    """A range says where it begins, or where it ends."""
    with pytest.raises(ValueError, match=r"'\.\.' names no release"):
        Release.parse("..")


def test_parse_refuses_a_range_that_is_the_wrong_way_round() -> None:
    """A range does not end before it begins."""
    with pytest.raises(ValueError, match=r"the range '6\.1\.\.6\.0' ends before it begins"):
        Release.parse("6.1..6.0")


@pytest.mark.parametrize(
    ("release", "versions", "expected"),
    [
        # no bounds: in every release
        (None, Versions(), True),
        ("5.2.3", Versions(), True),
        # since
        ("5.2.3", VMEM, False),
        ("6.0", VMEM, True),
        ("6.1.2", VMEM, True),
        ("6.1.2", ALIGN, False),
        ("6.2.4", ALIGN, True),
        ("5.7..6.0", VMEM, None),
        ("6.0..6.1", VMEM, True),
        ("5.0..5.7", VMEM, False),
        ("6.1..6.2", ALIGN, None),
        ("6.2..", ALIGN, True),
        ("..5.7", VMEM, False),
        ("..6.0", VMEM, None),
        (None, VMEM, None),
        # since, by one of the two sorts of version
        ("6.1", Versions(rocm="5.5"), True),
        ("5.4", Versions(rocm="5.5"), False),
        ("5.4..5.6", Versions(rocm="5.5"), None),
        ("6.2", Versions(amd_interface="1.6"), True),
        ("6.1", Versions(amd_interface="1.6"), False),
        ("7.0", Versions(amd_interface="1.12"), None),
        ("7.0", Versions(amd_interface="1.7"), True),
        ("7.1", Versions(amd_interface="1.16"), False),
        ("7.3", Versions(amd_interface="1.15"), True),
        ("7.3", Versions(amd_interface="1.16"), None),
        ("6.2..", Versions(amd_interface="1.12"), None),
        # until
        ("6.2.4", ENDED, True),
        ("6.3", ENDED, False),
        ("6.3.1", ENDED, False),
        ("6.3..", ENDED, False),
        ("6.0..6.2", ENDED, True),
        ("6.2..6.4", ENDED, None),
        ("6.2..", ENDED, None),
        (None, ENDED, None),
        # both
        ("5.7", Versions(rocm="6.0", until_rocm="6.3"), False),
        ("6.1", Versions(rocm="6.0", until_rocm="6.3"), True),
        ("6.4", Versions(rocm="6.0", until_rocm="6.3"), False),
        ("..5.7", Versions(rocm="6.0", until_rocm="6.3"), False),
        ("5.7..6.1", Versions(rocm="6.0", until_rocm="6.3"), None),
    ],
)
def test_has(release: str | None, versions: Versions, expected: bool | None) -> None:
    """Something exists in a release for certain, for certain not, or perhaps."""
    assert expected is Release.parse(release).has(versions)


@pytest.mark.parametrize(
    ("interface", "versions", "expected"),
    [
        ("1.4", VMEM, True),
        ("1.3", VMEM, False),
        ("1.10", Versions(amd_interface="1.9"), True),
        ("1.9", Versions(amd_interface="1.10"), False),
        ("1.4", Versions(rocm="6.0"), True),
        ("1.4", Versions(rocm="6.1"), None),
        # release 6.0 declares 1.4, and 6.2 declares 1.6
        ("1.3", Versions(rocm="6.0"), False),
        ("1.5", Versions(rocm="6.2"), False),
        (NO_INTERFACE, Versions(rocm="6.0"), False),
        (NO_INTERFACE, Versions(amd_interface="1.0"), False),
        (NO_INTERFACE, Versions(), True),
        ("1.31", Versions(until_rocm="6.3"), False),
    ],
)
def test_claimed_interface_decides(
    interface: str, versions: Versions, expected: bool | None
) -> None:
    """What a library says of its interface counts where a bound is given by interface."""
    assert expected is Release(interface=interface).has(versions)


@pytest.mark.parametrize(
    ("release", "versions", "expected"),
    [
        (Release(hsa="1.1"), Versions(hsa="1.1"), True),
        (Release(hsa="1.2"), Versions(hsa="1.0.1"), True),
        (Release(hsa="1.0"), Versions(hsa="1.0.1"), False),
        (Release(hsa="1.0"), Versions(until_hsa="1.1"), True),
        (Release(hsa="1.1"), Versions(until_hsa="1.1"), False),
        (Release(), Versions(hsa="1.1"), None),
        # ROCr answers 1.1, and has what 1.2 declares
        (Release.parse("5.2.3"), Versions(hsa="1.2"), True),
        (Release(interface="1.4"), Versions(hsa="1.2"), True),
        # unless somebody says what it is to be judged by
        (Release("5.2.3", "5.2.3", hsa="1.0"), Versions(hsa="1.1"), False),
        # a bound of each sort has to hold
        (Release(hsa="1.1"), Versions(hsa="1.1", rocm="6.0"), None),
        (Release(hsa="1.0"), Versions(hsa="1.1", rocm="6.0"), False),
    ],
)
def test_hsa_version_decides_what_the_foundation_specified(
    release: Release, versions: Versions, expected: bool | None
) -> None:
    assert expected is release.has(versions)


def test_claimed_interface_outweighs_the_release() -> None:
    """A library that was backported is what it says it is."""
    assert Release("5.7", "5.7", "1.4").has(VMEM)


@pytest.mark.parametrize(
    ("release", "interface"),
    [
        ("4.5", None),
        ("5.0", "1.0"),
        ("5.2.3", "1.0"),
        ("5.6.1", "1.1"),
        ("6.0", "1.4"),
        ("6.1.2", "1.4"),
        ("6.2", "1.6"),
        ("6.2.4", "1.6"),
        ("6.3", "1.6"),
        ("6.4.3", "1.7"),
        ("7.0", None),
        ("7.2.4", "1.15"),
        ("7.3", None),
    ],
)
def test_interface_of_a_release(release: str, interface: str | None) -> None:
    """Each release has the interface that its header declares, as far as that is recorded."""
    assert interface == interface_of(release)


def test_versions_compare_as_numbers() -> None:
    """Ten is more than nine."""
    assert numbers("1.10") > numbers("1.9")


@pytest.mark.parametrize(
    ("release", "words"),
    [
        (Release(), "unknown release"),
        (Release("6.1.2", "6.1.2"), "ROCm 6.1.2"),
        (Release("6.0", "6.1"), "ROCm 6.0..6.1"),
        (Release("6.2", None), "ROCm 6.2.."),
        (Release(None, "5.7"), "ROCm ..5.7"),
        (Release("6.2", "6.2", "1.6"), "ROCm 6.2, interface 1.6"),
        (Release(interface="1.6"), "interface 1.6"),
        (Release(hsa="1.1"), "HSA 1.1"),
    ],
)
def test_in_words(release: Release, words: str) -> None:
    """A release reads as a person would write it."""
    assert words == str(release)


COUNTERS = Versions(hsa="1.1", never_rocm=True)


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (Release.parse("7.2.4", "1.15"), False),
        (Release(hsa="1.0"), False),
        (Release(hsa="1.1"), None),
        (Release(interface="1.31"), None),
        (Release(), None),
    ],
    ids=str,
)
def test_what_no_release_of_rocm_has(release: Release, expected: bool | None) -> None:
    """Of another implementation of its HSA version nobody knows whether it has the extension."""
    assert expected is release.has(COUNTERS)
    assert "since HSA 1.1, in no release of ROCm" == str(COUNTERS)


def test_an_extension_has_its_own_enumerations_whole(registry: Registry) -> None:
    """Who has the extension knows all values; of what it adds to hsa.h nobody knows that."""
    release = Release(hsa="1.1")
    assert frozenset() == release.not_known(registry.enums["hsa_ext_perf_counter_info_t"])
    assert 0x4000 in release.not_known(registry.enums["hsa_status_t"])
