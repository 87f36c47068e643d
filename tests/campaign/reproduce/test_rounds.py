"""What a library keeps of calls in equal rounds, as a program finds it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.reproduce import CannotReproduce
from hsa_conformance.topics import TOPICS
from hsa_reports import Failure, Step
from hsa_reports.demands import KeepsNothing
from hsa_spec import Registry
from tests.campaign.reproduce.programs import ABSENT, PRESENT, Fake, Show

RESERVE = "hsa_amd_vmem_address_reserve"
FREE = "hsa_amd_vmem_address_free"
NOTHING_KEPT, CREATES_NOTHING = f"{FREE}/nothing-kept", f"{RESERVE}/failure-creates-nothing"

FailureOf = Callable[..., Failure]


def keeps(what: str, most: int = 1000) -> Mapping[str, object]:
    return {"FAKE_KEEPS_IN": FREE, "FAKE_KEEPS": what, "FAKE_KEEPS_MOST": most}


@pytest.mark.parametrize(
    ("what", "thing"),
    [
        ("A_DESCRIPTOR", "file descriptor"),
        ("A_MAPPING", "bytes of address space"),
        ("A_THREAD", "thread"),
        ("A_BLOCK", "bytes of host memory"),
    ],
)
def test_a_program_counts_what_a_pair_keeps(
    fake: Fake, failure_of: FailureOf, show: Show, what: str, thing: str
) -> None:
    """It ends with 1 for what grows, and with 0 where that ends or begins by chance."""
    library = fake("keeps", **keeps(what))
    failure = failure_of(library, NOTHING_KEPT)
    assert isinstance(failure.demand, KeepsNothing)
    assert thing in failure.demand.things
    found = show(failure, NOTHING_KEPT, "c", library)
    assert PRESENT == found.status
    assert "in 14 of 16 rounds the process was left with more: " in found.line
    for fixed in (
        fake("honest"),
        fake("keeps", **keeps(what, most=12)),
        fake("keeps", **keeps("BY_CHANCE")),
    ):
        assert ABSENT == show(failure, NOTHING_KEPT, "c", fixed).status


def test_a_program_misses_a_place_that_a_pair_keeps(
    fake: Fake, failure_of: FailureOf, show: Show
) -> None:
    """Nothing grows: the program ends with 1 in the round that lacks it."""
    library = fake("keeps", **keeps("A_PLACE"))
    failure = failure_of(library, NOTHING_KEPT)
    assert isinstance(failure.demand, KeepsNothing)
    assert failure.demand.things == ()
    found = show(failure, NOTHING_KEPT, "c", library)
    assert PRESENT == found.status
    assert "answered HSA_STATUS_ERROR_OUT_OF_RESOURCES after " in found.line
    assert ABSENT == show(failure, NOTHING_KEPT, "c", fake("honest")).status


def test_a_program_counts_what_a_failing_call_leaves(
    fake: Fake, failure_of: FailureOf, show: Show
) -> None:
    """The failing call alone is made again; what it needs is made once."""
    library = fake("leaks_descriptor")
    failure = failure_of(library, CREATES_NOTHING)
    assert KeepsNothing(1, ("file descriptor",)) == failure.demand
    assert PRESENT == show(failure, CREATES_NOTHING, "c", library).status
    assert ABSENT == show(failure, CREATES_NOTHING, "c", fake("honest")).status


@pytest.mark.parametrize("ends", ["main", "peer"])
def test_a_program_counts_rounds_in_which_a_second_process_takes_part(
    fake: Fake, registry: Registry, show: Show, ends: str
) -> None:
    """They take turns in each round; the start of the second one is made once."""
    library = fake("keeps", **keeps("A_DESCRIPTOR"))
    pool = SessionPool(LibraryAdapter(library, registry), registry, TOPICS, expect_no_device=False)
    with pool.session(initialised=True, fresh=True) as session:
        before = len(session.trace.steps)
        first, second = session, session.initialised_peer()
        if ends == "main":
            first, second = second, first
        for user in (first, second, first):
            reserved = user.call(RESERVE, va=Out(), size=4096, address=0, flags=0)
            user.call(FREE, va=reserved["va"], size=4096)
        steps = tuple(Step(s.process, s.call, s.result, s.action) for s in session.trace.steps)
    pool.close()
    demand = KeepsNothing(len(steps) - before, ("file descriptor",))
    failure = Failure("it keeps", steps, "got", (), None, None, None, "run again", demand)
    assert PRESENT == show(failure, NOTHING_KEPT, "c", library).status
    assert ABSENT == show(failure, NOTHING_KEPT, "c", fake("honest")).status


def test_python_does_not_count(fake: Fake, failure_of: FailureOf, show: Show) -> None:
    """Its own memory grows and shrinks: that it cannot be made is said at once."""
    library = fake("leaks_descriptor")
    failure = failure_of(library, CREATES_NOTHING)
    with pytest.raises(CannotReproduce, match="counted in C alone: give --c"):
        show(failure, CREATES_NOTHING, "python", library)
