"""Which call is laid the end of a process on that comes late."""

from __future__ import annotations

import pytest

from hsa_conformance.engine.running.late_ends import Evidence, earliest

CALLS = 20


class Library:
    """A library whose process ends after one of its calls, a few calls later.

    Args:
        fatal: the number of the call, from 1; None for none.
        later: how many more calls come before the end, if so many are made.
        during: whether the end comes during a call.

    """

    def __init__(self, fatal: int | None, later: int, *, during: bool = False) -> None:
        self.fatal, self.later, self.during = fatal, later, during
        self.processes = 0

    def play(self, most: int | None) -> Evidence[int] | None:
        self.processes += 1
        calls = CALLS if most is None else most
        if self.fatal is None or calls < self.fatal:
            return None
        died = min(calls, self.fatal + self.later)
        return Evidence(died, died, during=self.during and most is None)


@pytest.mark.parametrize("later", [0, 1, 5, CALLS])
@pytest.mark.parametrize("fatal", [1, 2, 7, CALLS - 1, CALLS])
@pytest.mark.parametrize("during", [False, True])
def test_the_call_is_found_that_the_end_takes(fatal: int, later: int, during: bool) -> None:
    assert fatal == earliest(Library(fatal, later, during=during).play)


def test_a_process_that_lives_on_shows_nothing() -> None:
    assert earliest(Library(None, 0).play) is None


@pytest.mark.parametrize("fatal", [2, 7, CALLS])
def test_a_call_that_ends_the_process_at_once_costs_two_processes(fatal: int) -> None:
    """That is the usual case, and no other call has to be left out for it."""
    library = Library(fatal, 0, during=True)
    assert fatal == earliest(library.play)
    assert library.processes == 2
