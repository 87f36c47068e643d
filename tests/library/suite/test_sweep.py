"""Every value tried: which are offered, which of them are to blame, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

import pytest

from hsa_adapters.calls import Call, Outcome
from hsa_adapters.errors import Ended
from hsa_conformance import subjects
from hsa_conformance.engine.calls.outcomes import Blocked, ImitationLimit, Violation
from hsa_conformance.engine.calls.values import PATTERN
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, NotOnMachine
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.running.sweep import sweep
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_reports import BEFORE, Result, Verdict
from hsa_spec import Registry
from tests.library.suite.test_campaign import Counting
from tests.wrong.inside import results, running

CLAUSE = "hsa_amd_vmem_address_free/not-reserved"
COLOURS = ("red", "green", "blue")
SHAPES = ("round", "square")


@pytest.fixture
def adapter(registry: Registry) -> Counting:
    return Counting(subjects.reference(None, registry))


@pytest.fixture
def swept(adapter: Counting, registry: Registry) -> Iterator[Callable[..., list[Result]]]:
    """Return a function that sweeps a check of things with a colour and a shape."""
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)

    def swept(
        judge: Callable[[Mapping[str, str]], None], *, objects_only: bool = False
    ) -> list[Result]:
        def body(session: Session, draw: Draw, counts: Counts) -> None:
            scene = Scene(session, draw, registry.clauses[CLAUSE])
            thing = {
                "colour": scene.each("colour", {c: c for c in COLOURS}),
                "shape": scene.each("shape", {s: s for s in SHAPES}),
            }
            session.axes.objects.add("colour")
            draw(drawing.integers(0, 9))
            judge(thing)
            counts.satisfied += 1

        check = Check(CLAUSE, "check", body, sweeps=True, objects_only=objects_only, examples=0.1)
        knows = Judge(registry, lambda _: True)
        return sweep(Campaign(pool, knows, "quick", 0), check)

    yield swept
    pool.close()


def outcomes(result: Result) -> Mapping[str, str]:
    return {tried.value: tried.outcome for tried in result.values if tried.axis != BEFORE}


def fails_with(*values: str) -> Callable[[Mapping[str, str]], None]:
    """Return a judge under which an example with one of these values fails."""

    def judge(thing: Mapping[str, str]) -> None:
        for value in values:
            if value in thing.values():
                raise Violation(CLAUSE, Verdict.FAIL, "it is wrong", value, {})

    return judge


def test_every_value_is_tried(swept: Callable[..., list[Result]]) -> None:
    """One example draws one value of each axis; the others get one each."""
    seen = []
    [result] = swept(lambda thing: seen.append(tuple(thing.values())))
    assert Verdict.PASS is result.verdict
    assert dict.fromkeys((*COLOURS, *SHAPES), "judged") == outcomes(result)
    assert {*COLOURS, *SHAPES} == {value for thing in seen for value in thing}


@pytest.mark.parametrize("bad", [*COLOURS, *SHAPES])
def test_the_failing_value_is_blamed(swept: Callable[..., list[Result]], bad: str) -> None:
    """Exactly that value has a failure, wherever it stands, and those beside it are judged."""
    whole, blamed = swept(fails_with(bad))
    axis = "colour" if bad in COLOURS else "shape"
    assert (Verdict.PASS, Verdict.FAIL) == (whole.verdict, blamed.verdict)
    assert (f"{axis}={bad}", f"it is wrong, with {axis}={bad}") == (blamed.value, blamed.reason)
    assert {**dict.fromkeys((*COLOURS, *SHAPES), "judged"), bad: "failed"} == outcomes(whole)


@pytest.mark.parametrize("bad", [*COLOURS, *SHAPES])
def test_a_value_that_breaks_another_clause_takes_no_praise_there(
    swept: Callable[..., list[Result]], bad: str
) -> None:
    """The clause passes with the other values, and says with which one it was not judged."""
    other = "hsa_amd_vmem_address_reserve/success"

    def judge(thing: Mapping[str, str]) -> None:
        if bad in thing.values():
            raise Violation(other, Verdict.CRASH, "the process ended", "SIGABRT", {})

    whole, blamed = swept(judge)
    assert [(CLAUSE, Verdict.PASS), (other, Verdict.CRASH)] == [
        (result.clause, result.verdict) for result in (whole, blamed)
    ]
    assert f"not judged with {blamed.value} ({other}: the process ended)" == whole.reason


@pytest.mark.parametrize("bad", [("red", "blue"), ("green", "square"), ("red", "round")])
def test_every_failing_value_is_named(swept: Callable[..., list[Result]], bad: list[str]) -> None:
    """The first failure hides no other, of the same axis or of another."""
    whole, *blamed = swept(fails_with(*bad))
    assert set(bad) == {str(result.value).partition("=")[2] for result in blamed}
    assert set(bad) == {v for v, outcome in outcomes(whole).items() if outcome == "failed"}


def test_what_fails_in_its_simplest_example_does_so_once(
    swept: Callable[..., list[Result]],
) -> None:
    """With one of its values pinned and all else as simple, the same example comes out."""
    made: list[tuple[str, ...]] = []

    def judge(thing: Mapping[str, str]) -> None:
        made.append(tuple(thing.values()))
        raise Violation(CLAUSE, Verdict.FAIL, "it is wrong", "got", {})

    [whole] = swept(judge)
    assert dict.fromkeys((*COLOURS, *SHAPES), "failed") == outcomes(whole)
    simplest = made[0]
    assert 1 == len([again for again in _runs(made) if again == simplest])


def _runs(made: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return what was made, each only once where it was made again at once."""
    return [thing for thing, before in zip(made, [None, *made], strict=False) if thing != before]


@pytest.mark.parametrize("verdict", [Verdict.HANG, Verdict.FRAGILE])
def test_a_check_that_always_hangs_is_waited_for_three_times(
    swept: Callable[..., list[Result]], verdict: Verdict
) -> None:
    waits = []

    def judge(_: Mapping[str, str]) -> None:
        waits.append(1)
        got = "HANG (no answer)"
        raise Violation(CLAUSE, verdict, "it hangs", got, {}, end=Ended("HANG", None, ""))

    [whole] = swept(judge)
    assert verdict is whole.verdict
    assert {"failed", "untried"} == {*outcomes(whole).values()}
    assert 3 == len(waits)


@pytest.fixture
def looked_at(adapter: Counting, registry: Registry) -> Iterator[Callable[..., list[Result]]]:
    """Return a function that runs a check of all colours in one example."""
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)

    def looked_at(judge: Callable[[Mapping[str, str]], None]) -> list[Result]:
        def body(session: Session, draw: Draw, counts: Counts) -> None:
            scene = Scene(session, draw, registry.clauses[CLAUSE])
            for colour in scene.parts("colour", {c: c for c in COLOURS}):
                judge({"colour": colour})
            counts.satisfied += 1

        check = Check(CLAUSE, "check", body, sweeps=True, examples=0.1)
        return sweep(Campaign(pool, Judge(registry, lambda _: True), "quick", 0), check)

    yield looked_at
    pool.close()


def test_one_example_looks_at_all_parts(looked_at: Callable[..., list[Result]]) -> None:
    seen: list[str] = []
    [result] = looked_at(lambda thing: seen.extend(thing.values()))
    assert Verdict.PASS is result.verdict
    assert dict.fromkeys(COLOURS, "judged") == outcomes(result)
    assert seen[:3] == [*COLOURS]
    assert len(seen) == 3 * result.satisfied


@pytest.mark.parametrize("bad", [("red",), ("green", "blue"), ("red", "blue")])
def test_a_part_that_fails_hides_no_other(
    looked_at: Callable[..., list[Result]], bad: list[str]
) -> None:
    """Each has a result of its own; those that hold are judged."""
    whole, *blamed = looked_at(fails_with(*bad))
    assert {f"colour={colour}" for colour in bad} == {result.value for result in blamed}
    expected = {colour: "failed" if colour in bad else "judged" for colour in COLOURS}
    assert (Verdict.PASS, expected) == (whole.verdict, outcomes(whole))


def beyond_devices(*values: str) -> Callable[[Mapping[str, str]], None]:
    """Return a judge under which imitated devices cannot do an example with one of these values."""

    def judge(thing: Mapping[str, str]) -> None:
        for value in values:
            if value in thing.values():
                raise ImitationLimit(Verdict.BLOCKED, f"{CLAUSE}: the imitated device cannot tell")

    return judge


@pytest.mark.parametrize("hard", [*COLOURS, *SHAPES])
def test_what_imitated_devices_cannot_do_is_lacking(
    swept: Callable[..., list[Result]], hard: str
) -> None:
    """The other values are judged all the same."""
    [result] = swept(beyond_devices(hard))
    assert Verdict.PASS is result.verdict
    assert {**dict.fromkeys((*COLOURS, *SHAPES), "judged"), hard: "lacking"} == outcomes(result)
    [reason] = [tried.reason for tried in result.values if tried.value == hard]
    assert f"{CLAUSE}: the imitated device cannot tell" == reason


def test_where_imitated_devices_can_do_nothing_it_is_blocked(
    swept: Callable[..., list[Result]],
) -> None:
    [result] = swept(beyond_devices(*SHAPES))
    assert Verdict.BLOCKED is result.verdict


def test_of_a_clause_judged_elsewhere_only_objects_of_the_machine_are_tried(
    swept: Callable[..., list[Result]],
) -> None:
    """Nothing is said of the other values that no example was made with."""
    [result] = swept(fails_with(), objects_only=True)
    assert {*COLOURS} <= outcomes(result).keys()
    assert 1 == len({*SHAPES} & outcomes(result).keys())


def test_a_failure_is_put_down_to_its_value_wherever_the_clause_is_judged(
    swept: Callable[..., list[Result]],
) -> None:
    """Baselines know it by the value, which takes the others to find out."""
    whole, blamed = swept(fails_with("round"), objects_only=True)
    assert (Verdict.PASS, "shape=round") == (whole.verdict, blamed.value)


def test_what_fails_with_every_value_blames_none(swept: Callable[..., list[Result]]) -> None:
    """The failure is one of the check as a whole."""
    [result] = swept(fails_with(*COLOURS))
    assert (Verdict.FAIL, None) == (result.verdict, result.value)
    assert result.failure is not None


def test_what_fails_with_most_values_blames_none(registry: Registry, runner: Runner) -> None:
    """One cause is one result; which values fail stands in it."""
    enum = registry.enums["hsa_status_t"]
    core = [e for e in enum.enumerators if e.value < 0x2000]
    most = [e.value for e in core[:-5]]
    adapter = runner.pool.adapter
    adapter.spoil = refused("hsa_status_string", 0, most)  # type: ignore[attr-defined]
    whole, *_ = runner.run(registry.clauses["hsa_status_string/success"])
    assert (Verdict.FAIL, None) == (whole.verdict, whole.value)
    assert len(most) == list(outcomes(whole).values()).count("failed")


def raises_with(bad: str, error: Exception) -> Callable[[Mapping[str, str]], None]:
    def judge(thing: Mapping[str, str]) -> None:
        if bad in thing.values():
            raise error

    return judge


@pytest.mark.parametrize("bad", COLOURS)
def test_what_the_machine_lacks_ends_nothing(swept: Callable[..., list[Result]], bad: str) -> None:
    """The other values are tried, wherever it stands, and the check passes."""
    [result] = swept(raises_with(bad, NotOnMachine("nothing is so")))
    assert (Verdict.PASS, "lacking") == (result.verdict, outcomes(result)[bad])
    assert {"judged"} == {outcome for v, outcome in outcomes(result).items() if v != bad}


@pytest.mark.parametrize(
    ("error", "verdict", "blocked_by"),
    [
        (CannotMake("it resists"), Verdict.VACUOUS, None),
        (
            Blocked("hsa_amd_vmem_map/success", "HSA_STATUS_ERROR"),
            Verdict.BLOCKED,
            "hsa_amd_vmem_map/success",
        ),
    ],
)
def test_what_was_not_tried_is_named(
    swept: Callable[..., list[Result]], error: Exception, verdict: Verdict, blocked_by: str | None
) -> None:
    """A check that left out a value does not pass, and says what stood in the way."""
    [result] = swept(raises_with("green", error))
    assert (verdict, blocked_by) == (result.verdict, result.blocked_by)
    assert "not tried: colour=green (" in str(result.reason)


# the values of parameters that have names


def test_a_value_that_goes_only_with_a_failing_one_is_not_blamed(
    swept: Callable[..., list[Result]],
) -> None:
    def judge(thing: Mapping[str, str]) -> None:
        if thing == {"colour": "blue", "shape": "round"}:
            raise CannotMake("nothing round is blue")
        fails_with("square")(thing)

    result, *blamed = swept(judge)

    assert (Verdict.PASS, ["shape=square"]) == (result.verdict, [r.value for r in blamed])
    assert outcomes(result)["blue"] == "failed"


def test_values_that_go_only_with_one_another_hide_no_failure(
    swept: Callable[..., list[Result]],
) -> None:
    def judge(thing: Mapping[str, str]) -> None:
        if ("blue" in thing.values()) != ("square" in thing.values()):
            raise CannotMake("what is blue is square")
        fails_with("square")(thing)

    assert ["colour=blue", "shape=square"] == [r.value for r in swept(judge)[1:]]


def test_a_value_is_not_tried_by_judging_something_else(
    adapter: Counting, registry: Registry
) -> None:
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        Scene(session, draw, registry.clauses[CLAUSE]).each("colour", {c: c for c in COLOURS})
        if session.axes.chosen["colour"] == "green":
            del session.axes.chosen["colour"]
        counts.satisfied += 1

    check = Check(CLAUSE, "check", body, sweeps=True)
    [result] = sweep(Campaign(pool, Judge(registry, lambda _: True), "quick", 0), check)
    pool.close()

    assert result.verdict is Verdict.VACUOUS
    assert outcomes(result) == {"red": "judged", "green": "untried", "blue": "judged"}


def test_a_choice_that_another_one_brings_up_is_tried_with_it(
    adapter: Counting, registry: Registry
) -> None:
    """Only one shape of a hundred has a colour, which drawing again would hardly meet."""
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        scene = Scene(session, draw, registry.clauses[CLAUSE])
        if scene.each("shape", {str(number): number for number in range(100)}) == 99:
            scene.each("colour", {c: c for c in COLOURS})
        counts.satisfied += 1

    check = Check(CLAUSE, "check", body, sweeps=True)
    [result] = sweep(Campaign(pool, Judge(registry, lambda _: True), "quick", 0), check)
    pool.close()

    assert (Verdict.PASS, {"judged"}) == (result.verdict, set(outcomes(result).values()))
    assert set(COLOURS) < outcomes(result).keys()


def test_what_was_chosen_for_another_argument_is_no_axis(runner: Runner) -> None:
    """The handle that 0 takes the place of was created from a pool, which decides nothing."""
    result = runner.run(runner.registry.clauses["hsa_amd_vmem_map/handle-zero"])[0]
    assert (Verdict.PASS, {}) == (result.verdict, outcomes(result))


@pytest.fixture
def runner(adapter: Counting, registry: Registry) -> Iterator[Runner]:
    with running(adapter, registry) as runner:
        yield runner


def refused(
    function: str, place: int, values: Collection[int], status: int = 0x1001
) -> Callable[[Call], Outcome | None]:
    """Return what refuses calls of a function with one of some values of an argument."""

    def spoil(call: Call) -> Outcome | None:
        if call.function == function and call.args[place] in values:
            return Outcome(status, (b"\0" * 8,) * len(call.reads))
        return None

    return spoil


@pytest.mark.parametrize(
    ("function", "place", "values"),
    [
        ("hsa_status_string", 0, ["HSA_STATUS_ERROR_INVALID_FILE"]),
        ("hsa_status_string", 0, ["HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR_EXCEPTION"]),
        ("hsa_agent_get_info", 1, ["HSA_AGENT_INFO_FAST_F16_OPERATION"]),
        ("hsa_system_get_info", 0, ["HSA_SYSTEM_INFO_EXTENSIONS"]),
        ("hsa_amd_vmem_handle_create", 2, ["MEMORY_TYPE_PINNED"]),
    ],
)
def test_a_refused_enumerator_is_blamed(
    runner: Runner, adapter: Counting, function: str, place: int, values: list[str]
) -> None:
    """A library that refuses these alone fails with these alone."""
    clause = runner.registry.clauses[f"{function}/success"]
    numbers = [runner.registry.constants[value] for value in values]
    adapter.spoil = refused(function, place, numbers)
    _, *blamed = runner.run(clause)
    parameter = runner.registry.functions[function].params[place].name
    assert [f"{parameter}={value}" for value in values] == [r.value for r in blamed if r.value]
    assert {Verdict.FAIL} == {r.verdict for r in blamed if r.value}


def test_every_enumerator_in_force_is_tried(runner: Runner) -> None:
    """All that the clause admits is judged, whatever the condition is without it."""
    result = runner.run(runner.registry.clauses["hsa_status_string/success"])[0]
    enum = runner.registry.enums["hsa_status_t"]
    core = {e.name for e in enum.enumerators if e.value < 0x2000}
    assert dict.fromkeys(core, "judged") == outcomes(result)


def blamed(runner: Runner, clause: str) -> list[str | None]:
    """Return the values that are to blame for failures of a clause."""
    return [r.value for r in runner.run(runner.registry.clauses[clause]) if r.value]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (4, "flags=HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG"),
        (15, "flags=all flags"),
    ],
)
def test_a_refused_flag_is_blamed(
    runner: Runner, adapter: Counting, flags: int, expected: str
) -> None:
    """Each flag of a mask is tried alone, and all of them together."""
    adapter.spoil = refused("hsa_amd_memory_pool_allocate", 2, [flags], status=0x1000)
    assert [expected] == blamed(runner, "hsa_amd_memory_pool_allocate/flags-named")


def test_no_flag_is_a_value_of_its_own(runner: Runner) -> None:
    """Success wants it, where the text names no flag that a call may have."""
    clause = runner.registry.clauses["hsa_amd_memory_pool_allocate/success"]
    [tried] = [t for t in runner.run(clause)[0].values if t.axis == "flags"]
    assert ("HSA_AMD_MEMORY_POOL_STANDARD_FLAG", "judged") == (tried.value, tried.outcome)


def test_an_attribute_of_another_enumeration_is_tried(runner: Runner, adapter: Counting) -> None:
    """What a query reports beside the type of its parameter counts as its attribute."""
    name = "HSA_AMD_AGENT_INFO_CACHELINE_SIZE"
    adapter.spoil = refused("hsa_agent_get_info", 1, [runner.registry.constants[name]])
    assert [f"attribute={name}"] == blamed(runner, "hsa_agent_get_info/amd-attribute-gpu")


def writing(content: bytes | None) -> Callable[[Call], Outcome | None]:
    """Return what answers the cache line's size with SUCCESS, and writes it or leaves it alone."""

    def spoil(call: Call) -> Outcome | None:
        if call.function != "hsa_agent_get_info" or call.args[1] != 0xA001:
            return None
        _, before = call.writes[0]
        value, guard = before[:4], before[4:]
        return Outcome(0, (value if content is None else content, guard))

    return spoil


def test_a_value_that_is_not_written_is_a_failure(runner: Runner, adapter: Counting) -> None:
    """The query answers SUCCESS, and its attribute is defined for the agent."""
    adapter.spoil = writing(None)
    clause = runner.registry.clauses["hsa_agent_get_info/amd-attribute-gpu"]
    [found] = [result for result in runner.run(clause) if result.value]
    assert "attribute=HSA_AMD_AGENT_INFO_CACHELINE_SIZE" == found.value
    assert str(found.reason).startswith("answered SUCCESS and did not write value")


def test_a_value_that_looks_like_none_is_asked_for_again(runner: Runner, adapter: Counting) -> None:
    """It may be what was in the output before the call; the next time something else is there."""
    adapter.spoil = writing(bytes([PATTERN]) * 4)
    assert [] == blamed(runner, "hsa_agent_get_info/amd-attribute-gpu")


LINKS = "hsa_amd_agent_memory_pool_get_info"


def leaving_out(links: int) -> Callable[[Call], Outcome | None]:
    """Return what counts so many links between an agent and a pool, and writes none of them."""

    def spoil(call: Call) -> Outcome | None:
        if call.function != LINKS or call.args[2] not in (1, 2):
            return None
        (_, before), (_, size) = call.writes[0], call.reads[0]
        value = links.to_bytes(size, "little") if call.args[2] == 1 else before[:size]
        return Outcome(0, (value, before[size:]))

    return spoil


def test_elements_that_are_counted_and_not_written_are_a_failure(
    runner: Runner, adapter: Counting
) -> None:
    """Where the attribute that counts them is not 0, something has to be written."""
    adapter.spoil = leaving_out(1)
    expected = "attribute=HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO"
    assert [expected] == blamed(runner, f"{LINKS}/success")


def test_elements_that_are_counted_as_none_need_not_be_written(
    runner: Runner, adapter: Counting
) -> None:
    adapter.spoil = leaving_out(0)
    assert [] == blamed(runner, f"{LINKS}/success")


# sizes at their edges

ALLOCATE = "hsa_amd_memory_pool_allocate"


def sizes(runner: Runner, clause: str, axis: str = "size") -> Mapping[str, str]:
    """Return what came of the sizes that a clause is tried with."""
    values = runner.run(runner.registry.clauses[clause])[0].values
    return {tried.value: tried.outcome for tried in values if tried.axis == axis}


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("size-zero", {"0"}),
        ("size-too-large", {"largest+1"}),
        ("success", {"1", "granule-1", "granule", "granule+1", "largest"}),
    ],
)
def test_the_edges_that_a_clause_admits_are_tried(
    runner: Runner, clause: str, expected: set[str]
) -> None:
    assert expected == set(sizes(runner, f"{ALLOCATE}/{clause}"))


def test_a_count_that_no_condition_is_about_is_none_and_one(runner: Runner) -> None:
    found = sizes(runner, "hsa_amd_memory_fill/success", "count")
    assert {"0": "judged", "1": "judged"} == found


def test_what_does_not_go_with_the_rest_is_not_offered(runner: Runner) -> None:
    """A size that is no multiple of the granule is one clause's, and none of success's."""
    create = "hsa_amd_vmem_handle_create"
    assert {"granule": "judged", "largest": "judged"} == sizes(runner, f"{create}/success")
    assert {"1", "granule-1", "granule+1"} == set(sizes(runner, f"{create}/size-unaligned"))


def test_a_refused_size_is_blamed(runner: Runner, adapter: Counting) -> None:
    """One byte above the granule is tried, and called by what it is to the machine."""
    adapter.spoil = refused(ALLOCATE, 1, [4097], status=0x1000)
    assert ["size=granule+1"] == blamed(runner, f"{ALLOCATE}/success")


def test_memory_that_has_run_out_is_no_failure_of_the_largest_size(
    runner: Runner, adapter: Counting
) -> None:
    """The text lists a status for it, and nobody knows how much is left."""

    def spoil(call: Call) -> Outcome | None:
        size = call.args[1] if call.function == "hsa_amd_vmem_handle_create" else 0
        if isinstance(size, int) and size > 1 << 22:
            return Outcome(0x1008, (b"\0" * 8,) * len(call.reads))
        return None

    adapter.spoil = spoil
    found = sizes(runner, "hsa_amd_vmem_handle_create/success")
    assert {"granule": "judged", "largest": "lacking"} == found


def test_what_could_take_too_much_memory_is_named(registry: Registry) -> None:
    """It is not tried, and the check passes all the same."""
    adapter = subjects.reference(None, registry)
    settings = Settings(memory_budget=1 << 20)
    result = results(adapter, registry, f"{ALLOCATE}/success", settings=settings)[0]
    assert (Verdict.PASS, "over budget") == (result.verdict, outcomes(result)["largest"])
    [left_out] = [tried for tried in result.values if tried.value == "largest"]
    assert "more than the 1 MiB of the memory budget" in str(left_out.reason)
