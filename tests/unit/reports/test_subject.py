"""What the words of a subject say of its release and its machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports.subject import names_of, virtual_kfd
from hsa_spec.releases import Release
from tests.unit.reports.report_samples import SUBJECT


@pytest.mark.parametrize(
    "release",
    [
        Release(),
        Release("6.1.2", "6.1.2"),
        Release("6.0", "6.1", "1.4"),
        Release("6.2", None),
        Release(None, "5.7"),
        Release(interface="1.6"),
        Release(hsa="1.1"),
    ],
    ids=str,
)
def test_the_release_of_rocm_is_what_was_written(release: Release) -> None:
    found = Release.parse(replace(SUBJECT, release=str(release)).rocm)
    assert (release.lowest, release.highest) == (found.lowest, found.highest)


@pytest.mark.parametrize("text", [None, "", "12.0", "ROCm six", "a fork of ROCm 6.1"])
def test_other_words_are_no_release_of_rocm(text: str | None) -> None:
    assert replace(SUBJECT, release=text).rocm is None


@pytest.mark.parametrize(
    "machines",
    [
        ("gfx90a",),
        ("gfx90a, HSA_ENABLE_INTERRUPT=0",),
        ("apu", "gfx90a-2, ROCR_VISIBLE_DEVICES=1", "/some where/of mine.yaml"),
    ],
)
def test_the_imitated_machines_are_what_was_written(machines: tuple[str, ...]) -> None:
    subject = replace(SUBJECT, imitation=virtual_kfd(machines))
    assert (machines, names_of(machines[0])[0]) == (subject.machines, subject.machine)
    assert not subject.emulated


@pytest.mark.parametrize(
    ("imitation", "emulated"), [(None, False), ("emulator rocjitsu", True), ("emulator ", True)]
)
def test_only_the_virtual_kfd_has_machines(imitation: str | None, emulated: bool) -> None:
    subject = replace(SUBJECT, imitation=imitation)
    assert ((), None, emulated) == (subject.machines, subject.machine, subject.emulated)


def test_a_machine_has_a_name_without_its_variables() -> None:
    assert ("apu", "apu") == names_of("apu")
    assert ("apu", "apu, A=1, B=2") == names_of("apu, A=1, B=2")
