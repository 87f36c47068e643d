"""Failures of libraries that were refused memory, as programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hsa_conformance.reproduce import CannotReproduce
from hsa_reports import Failure
from hsa_reports.actions import Refuse
from tests.campaign.reproduce.programs import ABSENT, PRESENT, Fake, Show

CREATE = "hsa_signal_create/out-of-resources"
UNCHECKED, SPOILT = 1, 5

FailureOf = Callable[..., Failure]


@pytest.mark.parametrize("mistake", [UNCHECKED, SPOILT])
def test_a_program_in_c_refuses_the_library_memory(
    fake: Fake, failure_of: FailureOf, show: Show, mistake: int
) -> None:
    """It has functions of the heap of its own, so that nothing has to be preloaded."""
    library = fake("signals", FAKE_SHORT=mistake)
    failure = failure_of(library, CREATE)
    assert PRESENT == show(failure, CREATE, "c", library).status
    assert ABSENT == show(failure, CREATE, "c", fake("signals")).status


def test_a_program_refuses_the_request_of_the_size_that_the_run_refused(
    fake: Fake, failure_of: FailureOf, show: Show
) -> None:
    """How many requests come before it depends on addresses, too, and is another number here."""
    library = fake("signals", FAKE_SHORT=UNCHECKED)
    failure = failure_of(library, CREATE)
    steps = [
        replace(s, action=replace(s.action, after=s.action.after + 50))
        if isinstance(s.action, Refuse)
        else s
        for s in failure.steps
    ]
    assert list(failure.steps) != steps
    other = replace(failure, steps=tuple(steps))
    assert PRESENT == show(other, CREATE, "c", library).status


def test_a_program_in_python_cannot(fake: Fake, failure_of: FailureOf, show: Show) -> None:
    """Its interpreter has the heap; that is said at once."""
    library = fake("signals", FAKE_SHORT=UNCHECKED)
    failure = failure_of(library, CREATE)
    with pytest.raises(CannotReproduce, match="in C alone can refuse a library memory: give --c"):
        show(failure, CREATE, "python", library)
