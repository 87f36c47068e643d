"""The clauses `driver-refuses`: whatever a function asks of the driver is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.virtual_kfd import DEFAULT, ImitatedAdapter, load_machine
from hsa_conformance.engine.checks.refusals.programs import IN_PROGRAMS
from hsa_conformance.engine.running.runner import Settings
from hsa_reports import Result
from hsa_spec import Registry
from tests.wrong.functions import honest, mistaken
from tests.wrong.inside import results

ALLOCATE, FREE, INIT = "hsa_amd_memory_pool_allocate", "hsa_amd_vmem_address_free", "hsa_init"
LAST = "refused=CREATE_EVENT last ENOMEM"

#: The mistakes of the fake, by number.
(
    NONE,
    SUCCESS_FOR_NOTHING,
    ODD_STATUS,
    FIRST_EVENT_KEPT,
    DEATH_AT_THE_SECOND,
    BLOCK_KEPT_AT_THE_SECOND,
    FAILURE_FROM_THEN_ON,
    ANOTHER_FAILURE,
    COUNT_RAISED,
    NO_ACCESS,
    NO_AGENTS,
) = range(11)

Judged = Callable[..., Mapping[str | None, Result]]


@pytest.fixture
def judged(registry: Registry, fake: Callable[..., Path]) -> Judged:
    """Return a function that judges a fake which asks an imitated driver for two events."""

    def judged(
        function: str, mistake: int = NONE, *, other: str = "", profile: str = "quick"
    ) -> Mapping[str | None, Result]:
        library = fake("asks_driver", FAKE_ASKS_IN=function, FAKE_MISTAKE=mistake)
        adapter = ImitatedAdapter(LibraryAdapter(library, registry), load_machine(DEFAULT))
        clause = f"{other or function}/driver-refuses"
        found = results(adapter, registry, clause, settings=Settings(profile=profile))
        return {result.value: result for result in found if result.check != IN_PROGRAMS}

    return judged


@pytest.mark.parametrize("function", [ALLOCATE, FREE, INIT])
def test_a_library_that_copes_passes(judged: Judged, function: str) -> None:
    """Each kind of call is refused at its first and at its last occurrence, in one way each."""
    found = judged(function)
    assert {None: "PASS"} == {value: result.verdict for value, result in found.items()}
    assert [
        ("refused", "CREATE_EVENT first ENOMEM", "judged"),
        ("refused", "CREATE_EVENT last ENOMEM", "judged"),
        ("refused", "open_kfd first EMFILE", "judged"),
    ] == sorted((t.axis, t.value, t.outcome) for t in found[None].values)


def test_the_full_profile_tries_every_errno_once_and_from_then_on(judged: Judged) -> None:
    """The errnos are those that the kernel gives there."""
    [result] = judged(FREE, profile="full").values()
    events = [t.value for t in result.values if t.value.startswith("CREATE_EVENT")]
    assert sorted(
        f"CREATE_EVENT {place}{later} {error}"
        for place in ("first", "last")
        for later in ("", " and later")
        for error in ("ENOMEM", "ENOSPC")
    ) == sorted(events)
    assert "PASS" == result.verdict


@pytest.mark.parametrize(
    ("function", "mistake", "reason"),
    [
        (ALLOCATE, SUCCESS_FOR_NOTHING, "although the driver refused something, and did not write"),
        (FREE, SUCCESS_FOR_NOTHING, "bytes of address space"),
        (INIT, SUCCESS_FOR_NOTHING, "after calls that the driver refused something"),
        (ALLOCATE, ODD_STATUS, "answered HSA_STATUS_ERROR_REFCOUNT_OVERFLOW"),
        (ALLOCATE, FAILURE_FROM_THEN_ON, "the same call fails without that"),
        (INIT, FAILURE_FROM_THEN_ON, "the same call fails without that"),
        (FREE, ANOTHER_FAILURE, "the same call fails without that"),
        (INIT, COUNT_RAISED, "after calls that the driver refused something"),
        (INIT, NO_AGENTS, "hsa_init succeeds after one that failed, with other agents"),
    ],
)
def test_a_mistake_at_any_refusal_is_blamed(
    judged: Judged, function: str, mistake: int, reason: str
) -> None:
    """It is the clause that is blamed, whatever is refused."""
    found = judged(function, mistake)
    assert {None: "WARN"} == {value: result.verdict for value, result in found.items()}
    assert reason in str(found[None].reason)


@pytest.mark.parametrize("function", [ALLOCATE, FREE, INIT])
@pytest.mark.parametrize(
    ("mistake", "verdict", "reason"),
    [
        (FIRST_EVENT_KEPT, "WARN", "leaves 1 event of the driver behind"),
        (DEATH_AT_THE_SECOND, "FRAGILE", "SIGABRT"),
        (BLOCK_KEPT_AT_THE_SECOND, "WARN", "bytes of host memory behind"),
    ],
)
def test_a_mistake_at_the_last_refusal_alone_is_blamed_there(
    judged: Judged, function: str, mistake: int, verdict: str, reason: str
) -> None:
    """What is right at the first occurrence is right."""
    found = judged(function, mistake)
    assert {None: "PASS", LAST: verdict} == {v: result.verdict for v, result in found.items()}
    assert reason in str(found[LAST].reason)


def test_a_success_without_its_effects_is_blamed(judged: Judged) -> None:
    """The last refusal alone leads to a block that nobody can use."""
    found = judged(ALLOCATE, NO_ACCESS)
    assert {None: "PASS", LAST: "WARN"} == {v: result.verdict for v, result in found.items()}
    assert "answered SUCCESS although the driver refused CREATE_EVENT, and then: " in str(
        found[LAST].reason
    )


def test_a_function_that_asks_for_nothing_does_not_apply(judged: Judged) -> None:
    """That is said, and never a PASS."""
    [result] = judged(ALLOCATE, other="hsa_agent_get_info").values()
    reason = "hsa_agent_get_info makes no call that the driver can refuse, in 8 valid calls"
    assert "NOT_APPLICABLE" == result.verdict
    assert str(result.reason).startswith(reason)


def test_without_a_driver_that_can_refuse_nothing_is_judged(registry: Registry) -> None:
    """The reason says what is needed."""
    adapter = mistaken(registry, honest)
    [result] = results(adapter, registry, f"{ALLOCATE}/driver-refuses")
    assert ("UNTESTED", "needs a machine that can be made to run out of resources") == (
        result.verdict,
        str(result.reason).partition(" (")[0],
    )
