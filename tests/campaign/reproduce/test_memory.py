"""Failures of libraries that were refused memory, as programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hsa_conformance.reproduce import CannotReproduce
from hsa_reports import Failure
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


def test_a_program_in_python_cannot(fake: Fake, failure_of: FailureOf, show: Show) -> None:
    """Its interpreter has the heap; that is said at once."""
    library = fake("signals", FAKE_SHORT=UNCHECKED)
    failure = failure_of(library, CREATE)
    with pytest.raises(CannotReproduce, match="in C alone can refuse a library memory: give --c"):
        show(failure, CREATE, "python", library)
