"""What an imitated device cannot do is no verdict on the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from hsa_adapters import Ended
from hsa_adapters.faults import NOT_IMITATED, Faults
from hsa_conformance.engine.calls.outcomes import Blocked, ImitationLimit, ProvesNothing, Violation
from hsa_conformance.engine.judging.reach import within_reach
from hsa_reports import Verdict


class Machine:
    """A machine of which only is known how often its device could not go on."""

    def __init__(self, times: int, *lacks: str) -> None:
        self.times = times
        self.lacks = [*lacks] or ["no image_store"]

    def beyond(self) -> int:
        return self.times

    def lacking(self) -> list[str]:
        return self.lacks


class Ending(Ended):
    """The end of a process."""

    def __init__(self) -> None:
        Exception.__init__(self)


ENDS: list[Callable[[], Exception]] = [
    lambda: Violation("a/b", Verdict.FAIL, "wrong", "1", {}),
    lambda: Blocked("a/b", "1"),
    lambda: ProvesNothing("nothing"),
    Ending,
]


def example(machine: Machine, then: int, end: Exception | None) -> None:
    """Be an example in which the device could not go on as often as that, and that ends so."""
    with within_reach(cast("Faults", machine), "a/b"):
        machine.times = then
        if end is not None:
            raise end


@pytest.mark.parametrize("end", ENDS, ids=["violation", "blocked", "nothing", "death"])
@pytest.mark.parametrize("before", [0, 3])
def test_no_end_counts_that_came_with_a_kernel_beyond_the_device(
    end: Callable[[], Exception], before: int
) -> None:
    with pytest.raises(ImitationLimit) as told:
        example(Machine(before), before + 1, end())
    assert Verdict.BLOCKED is told.value.verdict
    reason = "a/b: the imitated device cannot tell what hardware does: no image_store"
    assert reason == told.value.reason


def test_of_all_that_the_device_lacked_the_first_new_one_is_told() -> None:
    """A device that lacks much fills no report."""
    machine = Machine(2, "no image_load", "no image_store")
    with pytest.raises(ImitationLimit) as told, within_reach(cast("Faults", machine), "a/b"):
        machine.times, machine.lacks = 5, [*machine.lacks, "no clock", "no trap"]
    assert str(told.value.reason).endswith("does: no clock, or one of 1 more")


OPAQUE = f"image_load: the tiled layout SW_MODE 9 is opaque{NOT_IMITATED}, in image_load v0"


@pytest.mark.parametrize(
    ("lacks", "verdict"),
    [
        ([OPAQUE], Verdict.UNTESTED),
        ([OPAQUE, "no clock"], Verdict.BLOCKED),
        (["no clock"], Verdict.BLOCKED),
    ],
)
def test_what_a_device_lacks_by_design_is_untested_and_what_else_it_lacks_blocks(
    lacks: list[str], verdict: Verdict
) -> None:
    machine = Machine(0, *lacks)
    with pytest.raises(ImitationLimit) as told:
        example(machine, 1, None)
    assert verdict is told.value.verdict


def test_nor_does_an_example_that_was_right() -> None:
    with pytest.raises(ImitationLimit):
        example(Machine(0), 1, None)


@pytest.mark.parametrize(("before", "then"), [(0, 0), (3, 3), (3, 0)])
def test_an_end_counts_where_the_device_could_do_everything(before: int, then: int) -> None:
    """Refusing calls begins the count again."""
    with pytest.raises(Blocked):
        example(Machine(before), then, Blocked("a/b", "1"))


def test_on_a_real_machine_everything_counts() -> None:
    with pytest.raises(ProvesNothing), within_reach(None, "a/b"):
        raise ProvesNothing("nothing")
