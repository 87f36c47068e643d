"""Which results of its checks decide on a clause."""

from __future__ import annotations

import pytest

from hsa_conformance.engine.running.runner import decisive
from hsa_reports import Result, Verdict

CLAUSE = "hsa_init/success"


def result(check: str, verdict: Verdict, reason: str | None = None) -> Result:
    return Result(CLAUSE, check, verdict, reason)


@pytest.mark.parametrize("verdict", [Verdict.VACUOUS, Verdict.BLOCKED])
def test_a_clause_that_passes_says_what_was_not_judged(verdict: Verdict) -> None:
    first = result("satisfied", Verdict.PASS)
    found = decisive([first, result("near miss", verdict, "no example met the condition")])
    reason = "not judged: near miss: no example met the condition"
    assert [result("satisfied", Verdict.PASS, reason)] == found


def test_each_check_that_judged_nothing_is_a_reason() -> None:
    near = [result("near miss", Verdict.VACUOUS, why) for why in ("no queue", "no signal")]
    [found] = decisive([result("threads", Verdict.PASS, "3 of 4 calls overlapped"), *near])
    reason = "3 of 4 calls overlapped; not judged: near miss: no queue; near miss: no signal"
    assert reason == found.reason


def test_what_does_not_concern_the_machine_is_no_reason() -> None:
    first = result("satisfied", Verdict.PASS)
    assert [first] == decisive([first, result("near miss", Verdict.NOT_APPLICABLE, "no GPU")])


def test_the_first_check_decides_even_if_it_judged_nothing() -> None:
    found = [result("satisfied", Verdict.VACUOUS, "no queue"), result("near miss", Verdict.PASS)]
    assert found == decisive(found)


def test_a_failure_of_a_further_check_counts() -> None:
    found = [result("satisfied", Verdict.PASS), result("near miss", Verdict.FAIL, "wrong")]
    assert found == decisive(found)
