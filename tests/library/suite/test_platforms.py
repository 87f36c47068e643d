"""Several configurations: what runs on which, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from hsa_conformance.baselines import Baseline, Entry
from hsa_conformance.configurations import PLAN, Configuration, everything, unknown_to
from hsa_conformance.engine.running.runner import Runner
from hsa_conformance.replay.replays import Replays
from hsa_conformance.runs.platforms import Platform, judge
from hsa_conformance.subjects import Options, plan
from hsa_reports import Failure, Result, Run, Verdict
from hsa_spec import Registry, load
from hsa_spec.machines import load_machine
from hsa_spec.releases import Release
from tests.unit.reports.report_samples import STARTED

CLAUSE = "hsa_agent_get_info/name"
PASS = Result(CLAUSE, "satisfied", Verdict.PASS)
VACUOUS = Result(CLAUSE, "satisfied", Verdict.VACUOUS, "no second agent")
FAIL = replace(
    PASS,
    verdict=Verdict.FAIL,
    reason="it broke",
    failure=Failure(summary="it broke", steps=(), got="garbage", allowed=()),
)


@dataclass
class Resting:
    """A stand-in for a pool of processes."""

    rests: int = 0

    def rest(self) -> None:
        """Remember that those were to end that wait."""
        self.rests += 1


@dataclass
class Judging:
    """A stand-in for a runner, with what it finds."""

    result: Result
    registry: Registry = field(default_factory=load)
    pool: Resting = field(default_factory=Resting)
    on_machine: bool = True
    release: Release = field(default_factory=lambda: Release.parse("6.1.2"))
    asked: list[Mapping[str, Any]] = field(default_factory=list)

    def run(
        self,
        _: object,
        effort: float,
        *others: object,
        objects_only: bool,
        sweeps: bool,
        values: object,
    ) -> list[Result]:
        """Return what is found, and remember how it was asked."""
        self.asked.append({"effort": effort, "objects_only": objects_only, "sweeps": sweeps})
        return [self.result]


Beds = Callable[..., list[Platform]]


@pytest.fixture
def beds() -> Beds:
    """Return a function that puts stand-ins on configurations."""

    def beds(runners: Mapping[str, Judging], baseline: Baseline | None = None) -> list[Platform]:
        return [
            Platform(
                Configuration(name),
                lambda c: cast(Runner, runners[c.machine or ""]),
                baseline,
                further=number > 0,
            )
            for number, name in enumerate(runners)
        ]

    return beds


def test_a_clause_tried_with_objects_of_the_machine_is_judged_on_each(
    registry: Registry, beds: Beds
) -> None:
    """On further machines a few examples and each of their objects do."""
    runners = {"gfx90a": Judging(PASS), "gfx1100": Judging(PASS)}
    results = judge(beds(runners), registry.clauses[CLAUSE])
    assert ["gfx90a", "gfx1100"] == [r.machine for r in results]
    assert [{"effort": 1.0, "objects_only": False, "sweeps": True}] == runners["gfx90a"].asked
    assert [{"effort": 0.2, "objects_only": True, "sweeps": True}] == runners["gfx1100"].asked


def test_a_clause_that_no_machine_can_change_is_judged_once(registry: Registry, beds: Beds) -> None:
    """Other machines would only cost time."""
    runners = {"gfx90a": Judging(PASS, on_machine=False), "gfx1100": Judging(FAIL)}
    results = judge(beds(runners), registry.clauses[CLAUSE])
    assert [("gfx90a", Verdict.PASS)] == [(r.machine, r.verdict) for r in results]
    assert [] == runners["gfx1100"].asked


def test_a_failure_names_the_machine_that_shows_it(registry: Registry, beds: Beds) -> None:
    """The verdict of the clause is its worst, and reason and summary say where."""
    runners = {"gfx90a": Judging(PASS), "gfx1100": Judging(FAIL)}
    results = judge(beds(runners), registry.clauses[CLAUSE])
    run = Run(replace(STARTED, clauses=(CLAUSE,)), tuple(results), (), None)
    assert Verdict.FAIL is run.verdicts[CLAUSE]
    shown = results[1]
    assert shown.failure is not None
    assert ("it broke, on gfx1100", "it broke, on gfx1100") == (
        shown.reason,
        shown.failure.summary,
    )


def test_what_one_machine_cannot_show_another_may(registry: Registry, beds: Beds) -> None:
    """There it is tried with everything, since nothing was judged before."""
    runners = {"gfx90a": Judging(VACUOUS, on_machine=False), "gfx90a-2": Judging(PASS)}
    results = judge(beds(runners), registry.clauses[CLAUSE])
    assert [("gfx90a-2", Verdict.PASS)] == [(r.machine, r.verdict) for r in results]
    assert [{"effort": 1.0, "objects_only": False, "sweeps": True}] == runners["gfx90a-2"].asked


def test_what_a_further_machine_cannot_show_takes_nothing_away(
    registry: Registry, beds: Beds
) -> None:
    """A machine without a second agent says nothing against the one that has it."""
    runners = {"gfx90a-2": Judging(PASS), "gfx90a": Judging(VACUOUS)}
    results = judge(beds(runners), registry.clauses[CLAUSE])
    assert [("gfx90a-2", Verdict.PASS)] == [(r.machine, r.verdict) for r in results]


def test_what_no_machine_shows_is_said_once(registry: Registry, beds: Beds) -> None:
    """The first one's reason stays."""
    runners = {"gfx90a": Judging(VACUOUS), "gfx1100": Judging(VACUOUS)}
    results = judge(beds(runners), registry.clauses[CLAUSE])
    assert [("gfx90a", Verdict.VACUOUS)] == [(r.machine, r.verdict) for r in results]


def entry(*machines: str) -> Entry:
    """Return a known failure of some machines, or of all."""
    return Entry(
        CLAUSE, Verdict.FAIL, "garbage", Release(), machines or None, "library", "known", None, None
    )


@pytest.mark.parametrize(
    ("known", "verdict"),
    [(entry(), "XFAIL"), (entry("gfx1100"), "XFAIL"), (entry("gfx90a"), "FAIL")],
)
def test_a_baseline_speaks_of_machines(
    registry: Registry, beds: Beds, known: Entry, verdict: str
) -> None:
    """What is known of one machine excuses no other."""
    baseline = Baseline("b", "i", ("6.1.2",), (known,))
    runners = {"gfx942-4": Judging(PASS, on_machine=True), "gfx1100": Judging(FAIL)}
    results = judge(beds(runners, baseline), registry.clauses[CLAUSE])
    assert verdict == results[-1].verdict


def test_a_known_failure_of_a_further_machine_is_looked_for_there(
    registry: Registry, beds: Beds
) -> None:
    """A few examples are too few to say that it is gone; of what is known of all, they are not."""
    runners = {"gfx90a": Judging(PASS, release=Release.parse("6.1.2")), "gfx1100": Judging(PASS)}
    own = Baseline("b", "i", ("6.1.2",), (entry("gfx1100"),))
    judge(beds(runners, own), registry.clauses[CLAUSE])
    assert [0.2, 8.0] == [asked["effort"] for asked in runners["gfx1100"].asked]
    runners["gfx1100"].asked.clear()
    judge(beds(runners, Baseline("b", "i", ("6.1.2",), (entry(),))), registry.clauses[CLAUSE])
    assert [0.2] == [asked["effort"] for asked in runners["gfx1100"].asked]


@pytest.mark.parametrize(
    ("shown", "efforts", "verdicts"),
    [(True, [1.0], [Verdict.PASS, Verdict.XFAIL]), (False, [1.0, 8.0], [Verdict.PASS])],
)
def test_what_an_earlier_run_kept_comes_before_a_longer_search(
    registry: Registry, shown: bool, efforts: list[float], verdicts: list[Verdict]
) -> None:
    """Where its calls still show the failure, there is no need for more examples."""
    runner = Judging(PASS, release=Release.parse("6.1.2"))

    class StubArchive:
        def again(self, *_: object) -> list[Result]:
            return [FAIL] * shown

    platform = Platform(
        Configuration("gfx90a"),
        lambda _: cast(Runner, runner),
        Baseline("b", "i", ("6.1.2",), (entry(),)),
        further=False,
        replays=cast(Replays, StubArchive()),
    )
    found = platform.judge(registry.clauses[CLAUSE])
    assert verdicts == [r.verdict for r in found]
    assert efforts == [asked["effort"] for asked in runner.asked]


@pytest.mark.parametrize(
    ("known", "sweeps"),
    [
        (entry(), False),
        (entry("gfx1100"), True),
        (replace(entry(), values=("attribute=HSA_AGENT_INFO_NAME",)), True),
        (replace(entry(), any_value=True), True),
        (replace(entry(), chance=True), True),
    ],
    ids=["of all machines", "of this machine", "with a value", "with some value", "by chance"],
)
def test_of_a_failure_that_all_machines_have_no_value_is_tried_on_further_ones(
    registry: Registry, beds: Beds, known: Entry, sweeps: bool
) -> None:
    """Which values fail, the first machine has shown."""
    runners = {"gfx90a": Judging(FAIL), "gfx1100": Judging(FAIL)}
    judge(beds(runners, Baseline("b", "i", ("6.1.2",), (known,))), registry.clauses[CLAUSE])
    assert {True} == {asked["sweeps"] for asked in runners["gfx90a"].asked}
    assert sweeps is runners["gfx1100"].asked[0]["sweeps"]


@pytest.mark.parametrize(
    ("clause", "names"),
    [
        ("hsa_agent_get_info/name", []),
        ("hsa_signal_load_relaxed/value", ["gfx90a, HSA_ENABLE_INTERRUPT=0"]),
        ("hsa_amd_memory_pool_get_info/success", ["nearly-full"]),
        ("hsa_queue_create/success", ["nearly-full", "gfx90a, HSA_ENABLE_INTERRUPT=0"]),
    ],
)
def test_a_configuration_is_for_the_functions_that_it_concerns(
    registry: Registry, clause: str, names: list[str]
) -> None:
    """How signals are waited for changes no name of an agent, nor does it matter how full it is."""
    function = registry.functions[registry.clauses[clause].function]
    special = [c for c in PLAN if c.concerns is not everything]
    assert names == [c.name for c in special if c.concerns(function)]


def test_what_a_configuration_does_not_concern_is_not_judged_there(registry: Registry) -> None:
    """Unless nothing could be judged before."""
    first, other = Judging(PASS), Judging(PASS)
    machines = [
        Platform(Configuration("gfx90a"), lambda _: cast(Runner, first), None, further=False),
        Platform(
            Configuration("nearly-full", concerns=lambda _: False),
            lambda _: cast(Runner, other),
            None,
            further=True,
        ),
    ]
    judge(machines, registry.clauses[CLAUSE])
    assert [] == other.asked
    first.result = VACUOUS
    judge(machines, registry.clauses[CLAUSE])
    assert 1 == len(other.asked)


@pytest.mark.parametrize(
    ("machine", "release", "known"),
    [
        ("gfx1201", "6.1.2", False),
        ("gfx1201", "6.4.3", True),
        ("gfx942-4", "5.2.3", False),
        ("gfx90a", "5.2.3", True),
        ("gfx1201", None, True),
        ("cpu", "5.2.3", True),
    ],
)
def test_a_release_knows_the_architectures_that_it_came_with(
    machine: str, release: str | None, known: bool
) -> None:
    """What is no ROCr has no release to go by, so it may know any."""
    assert known is (unknown_to(load_machine(machine), Release.parse(release)) is None)


def test_a_machine_that_the_release_does_not_know_is_not_applicable(
    registry: Registry, beds: Beds
) -> None:
    """Nothing is called there, and the reason names the architecture."""
    runners = {"gfx1201": Judging(FAIL)}
    [result] = judge(beds(runners), registry.clauses[CLAUSE])
    assert Verdict.NOT_APPLICABLE is result.verdict
    assert "ROCm 6.1.2 does not know gfx1201, which came with 6.4" == result.reason
    assert [] == runners["gfx1201"].asked


def test_nothing_has_to_fail_on_a_machine_that_the_release_does_not_know(
    registry: Registry, beds: Beds
) -> None:
    """So what is known of all machines is not missed there."""
    runners = {"gfx1201": Judging(FAIL)}
    platforms = beds(runners, Baseline("b", "i", ("6.1.2",), (entry(),)))
    results = judge(platforms, registry.clauses[CLAUSE])
    expected = platforms[0].expected
    assert expected is not None
    assert [] == list(expected.absent_failures(results, {CLAUSE}, everything=True))


def test_a_machine_with_a_name_runs_alone() -> None:
    """Without one, the first machine judges every clause, and each further one differs from it."""
    assert [Configuration("gfx1100")] == list(plan(Options(virtual_kfd="gfx1100")))
    assert [Configuration()] == list(plan(Options()))
    assert list(PLAN) == list(plan(Options(virtual_kfd="all")))
    assert len(PLAN) == len({c.name for c in PLAN})


def test_variables_of_the_command_line_are_set_everywhere() -> None:
    """Those that a configuration is about stay beside them."""
    given = plan(Options(virtual_kfd="all", environment={"HSA_X": "1"}))
    assert all(c.environment["HSA_X"] == "1" for c in given)
    assert {"HSA_ENABLE_INTERRUPT=0", "HSA_X=1"} <= {v for c in given for v in c.name.split(", ")}


def test_every_machine_of_the_plan_can_be_read() -> None:
    """A misspelt one would end a run half-way."""
    assert all(load_machine(c.machine) for c in PLAN if c.machine)


def test_what_keeps_a_core_busy_is_ended_after_each_clause(registry: Registry) -> None:
    """Processes that wait for the next example would take the time of all that comes between."""
    first, quiet, busy = Judging(PASS), Judging(PASS), Judging(PASS)
    machines = [
        Platform(Configuration("gfx90a"), lambda _: cast(Runner, first), None, further=False),
        Platform(Configuration("apu"), lambda _: cast(Runner, quiet), None, further=True),
        Platform(
            Configuration("two-cpus", busy=True), lambda _: cast(Runner, busy), None, further=True
        ),
    ]
    judge(machines, registry.clauses[CLAUSE])
    assert [0, 0, 1] == [runner.pool.rests for runner in (first, quiet, busy)]
