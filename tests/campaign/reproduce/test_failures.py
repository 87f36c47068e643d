"""Programs of the failures of fakes: they find the defect there, and not in the honest fake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hsa_reports import Failure
from tests.campaign.reproduce.programs import ABSENT, CANNOT_TELL, LANGUAGES, PRESENT, Fake, Show

RESERVE = "hsa_amd_vmem_address_reserve"
FREE = "hsa_amd_vmem_address_free"
ALIGN = "hsa_amd_vmem_address_reserve_align"
SET_ACCESS = "hsa_amd_vmem_set_access"

INVALID_ALLOCATION, INVALID_AGENT = 0x1003, 0x1004

FailureOf = Callable[..., Failure]


def wrong(function: str, right: int, answered: int) -> dict[str, object]:
    return {
        "FAKE_WRONG_FUNCTION": function,
        "FAKE_WRONG_FROM": hex(right),
        "FAKE_WRONG_TO": hex(answered),
    }


#: A fake with its defines, the clause that it breaks, and a part of what the program says of it.
BROKEN: list[tuple[str, dict[str, object], str, str]] = [
    ("wrong_status", {}, f"{FREE}/in-use", "answered HSA_STATUS_ERROR_INVALID_ARGUMENT instead of"),
    (
        "wrong_status",
        wrong(FREE, INVALID_ALLOCATION, INVALID_AGENT),
        f"{FREE}/inner-address",
        "answered HSA_STATUS_ERROR_INVALID_AGENT instead of",
    ),
    (
        "wrong_status",
        wrong(SET_ACCESS, INVALID_AGENT, 0),
        f"{SET_ACCESS}/agent-zero",
        "answered HSA_STATUS_SUCCESS instead of",
    ),
    (
        "wrong_status",
        wrong("hsa_amd_vmem_import_shareable_handle", INVALID_ALLOCATION, 0x1234),
        "hsa_amd_vmem_import_shareable_handle/not-shareable",
        "answered 0x1234 instead of",
    ),
    ("crashes", {"FAKE_CRASH_IN_CALL": 1}, "hsa_init/success", "Segmentation fault, in step 1"),
    ("aborts", {"FAKE_ABORT_IN_CALL": 1}, "hsa_init/success", "Aborted, in step 1, hsa_init()"),
    ("hangs", {}, f"{RESERVE}/success", "no end after 2 seconds, in step 2"),
    ("succeeds", {}, f"{RESERVE}/success", "did not write va"),
]


def named(value: object) -> str | None:
    return value if isinstance(value, str) else None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "defines", "clause", "words"), BROKEN, ids=named)
def test_program_finds_the_defect_where_it_is(
    fake: Fake,
    failure_of: FailureOf,
    show: Show,
    language: str,
    name: str,
    defines: dict[str, Any],
    clause: str,
    words: str,
) -> None:
    """Exit status 1 with the library that has the defect, 0 with the honest one."""
    library = fake(name, **defines)
    failure = failure_of(library, clause, budget=0.5 if name == "hangs" else 5.0)
    found = show(failure, clause, language, library)
    assert PRESENT == found.status
    assert found.line.startswith(f"{clause}: ")
    assert words in found.line
    assert ABSENT == show(failure, clause, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_program_of_a_missing_symbol(
    fake: Fake, failure_of: FailureOf, show: Show, language: str
) -> None:
    """A symbol is looked up in the library, and nothing is called."""
    failure = failure_of(fake("lies_about_version"), f"{ALIGN}/exported")
    expected = [(PRESENT, "has no"), (ABSENT, "has")]
    for library, (status, words) in zip(("lies_about_version", "honest"), expected, strict=True):
        said = show(failure, f"{ALIGN}/exported", language, fake(library))
        assert (status, f"{ALIGN}/exported: the library {words} {ALIGN}") == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_only_words_describe_cannot_be_told(
    fake: Fake, failure_of: FailureOf, show: Show, language: str
) -> None:
    """The program makes the calls, says what to look for, and does not judge."""
    library, clause = fake("wrong_status"), f"{FREE}/in-use"
    failure = replace(failure_of(library, clause), demand=None)
    steps = failure.steps[:-1]
    said = show(replace(failure, steps=steps), clause, language, library)
    assert CANNOT_TELL == said.status
    assert "all steps answered as recorded; see for yourself whether this holds: " in said.line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("library", "words"),
    [
        ("crashes", "Segmentation fault, before the last step"),
        ("hangs", "no end after 2 seconds, before the last step"),
        (None, "cannot open shared object file"),
    ],
)
def test_trouble_before_the_last_step_proves_nothing(
    fake: Fake, failure_of: FailureOf, show: Show, language: str, library: str | None, words: str
) -> None:
    """A death, an unending call and a library that is not there are no verdict on the defect."""
    failure = failure_of(fake("wrong_status"), f"{FREE}/in-use")
    defines = {"FAKE_CRASH_IN_CALL": 2} if library == "crashes" else {}
    path = fake(library, **defines) if library else "/nowhere/libhsa.so"
    said = show(failure, f"{FREE}/in-use", language, path)
    assert CANNOT_TELL == said.status
    assert words in said.line
