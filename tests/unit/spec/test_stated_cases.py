"""The clauses say of every stated case what its author read in the header."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hsa_spec import Registry
from tests.unit.spec.stated_cases import (
    StatedCase,
    UnansweredError,
    asks,
    complaint,
    load_stated_cases,
)

CASES = load_stated_cases()
#: A function that has nothing to say before hsa_init is asked after it.
BEFORE_INIT = {
    case.function: case.statuses for case in CASES if case.given[-1:] == ("not initialized()",)
}
CREATE = StatedCase(
    "hsa_signal_create",
    "a signal without consumers",
    "hsa.h, hsa_signal_create",
    {"initial_value": 1, "num_consumers": 0, "consumers": 0, "signal": 0x1000},
    (
        "initialized()",
        "agents_listed(num_consumers, consumers)",
        "agents_distinct(consumers, num_consumers)",
        'not exhausted("memory")',
    ),
    frozenset({"HSA_STATUS_SUCCESS"}),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_clauses_agree(registry: Registry, case: StatedCase) -> None:
    """The clauses that hold in the case allow its status, and demand no other."""
    assert complaint(case, registry) is None


@pytest.mark.parametrize("function", BEFORE_INIT)
def test_nothing_is_looked_at_before_init(registry: Registry, function: str) -> None:
    """Where the runtime is not initialised, what else is wrong with a call does not matter."""
    cases = [case for case in CASES if case.function == function]
    earlier = [
        replace(case, given=(*case.given, "not initialized()"), statuses=BEFORE_INIT[function])
        for case in cases
    ]
    assert [None] * len(cases) == [complaint(case, registry) for case in earlier]


def test_every_function_with_conditions_has_three_cases(registry: Registry) -> None:
    """Only functions whose statuses depend on nothing go without."""
    counts = Counter(case.function for case in CASES)
    assert not [f.name for f in registry.functions.values() if asks(f) and counts[f.name] < 3]


def test_names_are_unique() -> None:
    """A failing case can be found by its name."""
    assert not [name for name, count in Counter(map(str, CASES)).items() if count > 1]


def test_another_status_is_noticed(registry: Registry) -> None:
    """A clause that answers otherwise than the case is named."""
    wrong = replace(CREATE, statuses=frozenset({"HSA_STATUS_ERROR_INVALID_ARGUMENT"}))
    assert complaint(CREATE, registry) is None
    assert "hsa_signal_create/success" in (complaint(wrong, registry) or "")


def test_a_status_that_no_clause_gives_is_noticed(registry: Registry) -> None:
    """A case may not allow more than the clauses do."""
    wide = replace(CREATE, statuses=CREATE.statuses | {"HSA_STATUS_ERROR"})
    assert "hsa_signal_create/success" in (complaint(wide, registry) or "")


def test_an_outcome_that_is_not_undefined_is_noticed(registry: Registry) -> None:
    """No clause leaves a right call open."""
    assert complaint(replace(CREATE, statuses=frozenset({"undefined"})), registry)


def test_a_question_without_an_answer_is_refused(registry: Registry) -> None:
    """Nothing is assumed about what a case does not say."""
    with pytest.raises(UnansweredError, match="exhausted"):
        complaint(replace(CREATE, given=CREATE.given[:-1]), registry)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"args": {"signal": 1}}, "the arguments are initial_value, num_consumers"),
        ({"statuses": frozenset({"HSA_STATUS_OK"})}, "HSA_STATUS_OK is no status"),
        ({"given": ("signal > 3",)}, "does not say what is the case"),
    ],
    ids=["argument", "status", "answer"],
)
def test_a_misspelt_case_is_refused(
    registry: Registry, changes: dict[str, Any], words: str
) -> None:
    """A mistake in a case never passes for agreement."""
    with pytest.raises(ValueError, match=words):
        complaint(replace(CREATE, **changes), registry)


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    """A misspelt key is an error, not a case that says less."""
    (tmp_path / "topic.yaml").write_text("[{functions: [], sauce: hsa.h}]")
    with pytest.raises(ValueError, match="unknown key sauce"):
        load_stated_cases(tmp_path)
