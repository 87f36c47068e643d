"""Praise and blame where an imitation answers: who decides, by clause, attribute and effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.judging.imitation import BENEATH, Imitation
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_reports import Failure, Result, ValueResult, Verdict
from hsa_spec import DecidedBy, Registry, Release

QUERY = "hsa_agent_get_info/success"
RUNTIMES, DRIVERS = "HSA_AGENT_INFO_NAME", "HSA_AMD_AGENT_INFO_MEMORY_AVAIL"
BY_RUNTIME, BY_DRIVER = "hsa_amd_vmem_map/success", "hsa_amd_svm_attributes_set/grants-access"
FAILURE = Failure("wrong", (), "another", ())


@pytest.fixture
def freed(registry: Registry) -> Callable[..., Result]:
    """Return a function that frees a result of praise and blame."""

    def freed(result: Result, release: str = "7.2.4") -> Result:
        return Imitation(registry, Release.parse(release)).discount(result)

    return freed


@pytest.mark.parametrize(
    ("clause", "verdict", "expected"),
    [
        (BY_RUNTIME, Verdict.PASS, Verdict.PASS),
        (BY_RUNTIME, Verdict.FAIL, Verdict.FAIL),
        (BY_DRIVER, Verdict.PASS, Verdict.IMITATED),
        (BY_DRIVER, Verdict.FAIL, Verdict.IMITATED),
        (BY_DRIVER, Verdict.HANG, Verdict.IMITATED),
        (BY_RUNTIME, Verdict.HANG, Verdict.HANG),
        (BY_DRIVER, Verdict.CRASH, Verdict.CRASH),
        (BY_DRIVER, Verdict.VACUOUS, Verdict.VACUOUS),
    ],
)
def test_what_the_driver_decides_is_neither_praise_nor_blame(
    freed: Callable[..., Result], clause: str, verdict: Verdict, expected: Verdict
) -> None:
    """Its answers, and those that never come, are IMITATED; deaths and what was not judged stay."""
    assert expected == freed(Result(clause, "satisfied", verdict)).verdict


@pytest.mark.parametrize(
    "clause", [f"hsa_ven_amd_aqlprofile_{name}" for name in ("start/success", "get_info/success")]
)
@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.FAIL, Verdict.CRASH, Verdict.FRAGILE])
def test_what_an_imitated_profiler_answers_is_neither_praise_nor_blame(
    registry: Registry, clause: str, verdict: Verdict
) -> None:
    """Nor is that it dies: no code of the runtime is on the way. A real one is judged."""
    release = Release.parse("7.2.4")
    ours = Imitation(registry, release, BENEATH | {DecidedBy.PROFILER})
    beneath = Imitation(registry, release)
    result = Result(clause, "satisfied", verdict)
    assert (Verdict.IMITATED, verdict) == tuple(
        imitation.discount(result).verdict for imitation in (ours, beneath)
    )


def test_a_failure_keeps_its_steps(freed: Callable[..., Result]) -> None:
    """It may be the driver's or the library's: whoever compares releases can tell."""
    result = freed(Result(BY_DRIVER, "satisfied", Verdict.WARN, "wrong", failure=FAILURE))
    assert (Verdict.IMITATED, FAILURE) == (result.verdict, result.failure)
    assert (result.reason or "").endswith("; driver or library: here it would be WARN: wrong")


@pytest.mark.parametrize(
    ("attribute", "expected"), [(RUNTIMES, Verdict.FAIL), (DRIVERS, Verdict.IMITATED)]
)
def test_a_failing_value_is_of_whoever_decides_its_attribute(
    freed: Callable[..., Result], attribute: str, expected: Verdict
) -> None:
    """A query fails for what the runtime answers by itself, and not where it asks the driver."""
    value = f"attribute={attribute}"
    result = freed(Result(QUERY, "satisfied", Verdict.FAIL, failure=FAILURE, value=value))
    assert expected == result.verdict


def test_the_values_of_a_clause_that_holds_say_whose_they_are(
    freed: Callable[..., Result],
) -> None:
    """The clause holds by what the runtime decides, and each other value says that it does not."""
    values = tuple(ValueResult("attribute", name, "judged") for name in (RUNTIMES, DRIVERS))
    result = freed(Result(QUERY, "satisfied", Verdict.PASS, values=values))
    assert Verdict.PASS == result.verdict
    assert ["judged", "imitated"] == [tried.outcome for tried in result.values]


def test_a_clause_that_holds_by_imitated_values_alone_is_imitated(
    freed: Callable[..., Result],
) -> None:
    """Nothing is left that the runtime could be praised for."""
    values = (
        ValueResult("attribute", DRIVERS, "judged"),
        ValueResult("attribute", RUNTIMES, "lacking"),
    )
    result = freed(Result(QUERY, "satisfied", Verdict.PASS, values=values))
    assert Verdict.IMITATED == result.verdict


@pytest.mark.parametrize(
    ("release", "expected"), [("5.2.3", Verdict.IMITATED), ("6.1.2", Verdict.FAIL)]
)
def test_an_effect_on_an_attribute_follows_it_through_the_releases(
    freed: Callable[..., Result], release: str, expected: Verdict
) -> None:
    """The frequency of the timestamp was the driver's, and became the runtime's."""
    frequency = Result("hsa_system_get_info/frequency-range", "property", Verdict.FAIL)
    assert expected == freed(frequency, release).verdict


@pytest.fixture
def checked(registry: Registry) -> Iterator[Callable[..., Result]]:
    """Return a function that judges a property of a clause, on a machine that is imitated."""
    adapter = subjects.reference(None, registry)
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)

    def checked(clause: str, body: Callable[[Scene], None]) -> Result:
        def example(session: Session, draw: Draw, counts: Counts) -> None:
            scene = Scene(session, draw, registry.clauses[clause])
            body(scene)
            counts.satisfied += 1

        campaign = Campaign(pool, Judge(registry, lambda _: True), "quick", 0)
        found = campaign.run(Check(clause, "property", example, examples=0.1))
        return Imitation(registry, Release.parse("7.2.4")).discount(found)

    yield checked
    pool.close()


@pytest.mark.parametrize(
    ("clause", "runtimes", "drivers", "expected"),
    [
        (BY_DRIVER, True, True, Verdict.IMITATED),
        (BY_DRIVER, False, True, Verdict.FAIL),
        (BY_DRIVER, True, False, Verdict.IMITATED),
        (BY_RUNTIME, True, True, Verdict.IMITATED),
        (BY_RUNTIME, False, True, Verdict.FAIL),
        (BY_RUNTIME, True, False, Verdict.IMITATED),
    ],
)
def test_a_property_says_who_decides_each_of_its_effects(
    checked: Callable[..., Result],
    clause: str,
    runtimes: bool,
    drivers: bool,
    expected: Verdict,
) -> None:
    """It fails by the effect that is missing, and holds only if the runtime decides all of it."""

    def two(scene: Scene) -> None:
        scene.require(runtimes, "wrong", "it", decided_by=DecidedBy.RUNTIME)
        scene.require(drivers, "wrong", "it", decided_by=DecidedBy.DRIVER)

    assert expected == checked(clause, two).verdict


def test_an_effect_of_the_runtime_alone_is_judged(checked: Callable[..., Result]) -> None:
    """Also in a clause that is the driver's."""
    body = lambda scene: scene.require(True, "", "", decided_by=DecidedBy.RUNTIME)  # noqa: E731
    assert Verdict.PASS == checked(BY_DRIVER, body).verdict
