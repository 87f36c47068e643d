"""What keeps golden cases from running on the reference still does."""

from __future__ import annotations

from contextlib import suppress

from hsa_conformance import subjects
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.cases import Case, load_cases
from tests.golden.runner import Runner


def test_no_case_that_would_hold_is_left_out(registry: Registry) -> None:
    """Each case that has a reason, apart from what is costly, cannot be made or does not hold."""
    pool = SessionPool(subjects.reference(None, registry), registry, TOPICS, expect_no_device=False)
    runner = Runner(pool)

    def holds(case: Case) -> bool:
        with suppress(CannotRunError, WrongAnswerError):
            pool.rest()
            runner.run(case)
            return True
        return False

    left_out = [case for case in load_cases() if case.not_on.get("reference", "costly") != "costly"]
    assert [] == [str(case) for case in left_out if holds(case)]
    pool.close()
