"""What keeps golden cases from running on the reference still does."""

from __future__ import annotations

from contextlib import ExitStack, suppress

from hsa_spec import Registry
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.cases import Case, load_cases
from tests.golden.runner import Runner
from tests.golden.subjects import pools


def test_no_case_that_would_hold_is_left_out(registry: Registry) -> None:
    """Each case that has a reason, apart from what is costly, cannot be made or does not hold."""
    left_out = [case for case in load_cases() if case.not_on.get("reference", "costly") != "costly"]
    with ExitStack() as stack:
        pool_of = pools(registry, stack)
        runner = Runner(pool_of)

        def holds(case: Case) -> bool:
            with suppress(CannotRunError, WrongAnswerError):
                pool_of(case.machine).rest()
                runner.run(case)
                return True
            return False

        assert [] == [str(case) for case in left_out if holds(case)]
