"""A golden case of one call is held against the clauses that hold in what it gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hsa_spec import Registry
from tests.golden.cases import Case
from tests.golden.clauses import UnansweredError, complaint

CREATE = Case(
    topic="core/signals",
    function="hsa_signal_create",
    name="a signal without consumers",
    source="hsa.h, hsa_signal_create",
    clauses_read=False,
    args={"initial_value": 1, "num_consumers": 0, "consumers": 0, "signal": 0x1000},
    given=(
        "initialized()",
        "agents_listed(num_consumers, consumers)",
        "agents_distinct(consumers, num_consumers)",
        'not exhausted("memory")',
    ),
    statuses=frozenset({"HSA_STATUS_SUCCESS"}),
)


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
