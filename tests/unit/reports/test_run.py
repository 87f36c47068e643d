"""What a run says about its clauses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports import APPLICABILITY, Run, Verdict
from hsa_reports.cautions import warnings
from hsa_reports.counting import share
from hsa_reports.facts import facts
from hsa_reports.headline import headline
from hsa_reports.run import EFFECTS, EXPORT, UNKNOWN, columns
from hsa_reports.selection import selection
from hsa_spec import Kind, Registry
from tests.unit.reports.report_samples import (
    ENDED,
    FULL,
    STARTED,
    SUBJECT,
    all_pass,
    make_result,
    make_run,
)

CLAUSE = "hsa_init/first-call"


def passing_but(**verdicts: Verdict) -> Run:
    """Return a run in which all pass but the first clauses, which have these verdicts."""
    run = all_pass()
    changed = dict(zip(FULL, verdicts.values(), strict=False))
    results = [make_result(c, changed.get(c, Verdict.PASS)) for c in FULL]
    return replace(run, results=tuple(results))


def test_every_selected_clause_has_a_verdict() -> None:
    assert make_run().verdicts == FULL


def test_the_verdict_of_a_clause_is_the_worst_of_its_results() -> None:
    results = [
        make_result(CLAUSE, Verdict.PASS),
        make_result(CLAUSE, Verdict.FAIL, "property:init"),
        make_result(CLAUSE, Verdict.WARN, "stateful"),
    ]
    run = make_run(results)
    assert Verdict.FAIL is run.verdicts[CLAUSE]
    assert run.by_clause[CLAUSE][0].check == "property:init"


def test_a_clause_without_result_was_not_run() -> None:
    assert set(make_run([]).verdicts.values()) == {Verdict.NOT_RUN}


def test_all_verdicts_are_counted_and_the_counts_add_up() -> None:
    run = make_run()
    assert set(Verdict) == set(run.counts)
    assert len(FULL) == sum(run.counts.values())
    assert run.counts[Verdict.PASS] == 13


def test_percentages_leave_out_what_does_not_apply_or_was_imitated() -> None:
    run = make_run()
    assert run.applicable == 29 - 2 - 1
    assert share(run).startswith("13 of 26 applicable clauses pass (50%); 1 CRASH, 1 HANG, 1 FAIL")


def test_hundred_percent_is_said_only_when_all_pass() -> None:
    clauses = tuple(f"hsa_init/c{n}" for n in range(3000))
    results = [make_result(c, Verdict.PASS) for c in clauses[1:]]
    run = make_run(results, started=replace(STARTED, clauses=clauses))
    assert "(99.9%)" in share(run)


def test_a_strict_run_fails_on_warnings() -> None:
    strict = make_run(started=replace(STARTED, strict=True))
    assert make_run().failures + 2 == strict.failures


def test_clauses_are_grouped_by_function_in_the_order_of_the_registry() -> None:
    functions = make_run().functions
    assert next(iter(functions)) == "hsa_init"
    assert tuple(FULL) == tuple(c for clauses in functions.values() for c in clauses)


@pytest.mark.parametrize(
    ("clause", "about"),
    [
        ("hsa_init/offered", (EXPORT,)),
        ("hsa_init/counts", (EFFECTS,)),
        ("hsa_init/first-call", ("HSA_STATUS_SUCCESS",)),
        ("hsa_new/thing", (UNKNOWN,)),
    ],
)
def test_a_clause_is_about_its_status_or_what_stands_for_one(
    registry: Registry, clause: str, about: tuple[str, ...]
) -> None:
    assert about == columns(clause, registry)


def test_a_clause_with_two_statuses_is_about_both(registry: Registry) -> None:
    both = ("HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR")
    clause = replace(registry.clauses[CLAUSE], status=both, kind=Kind.STATUS)
    function = replace(registry.functions["hsa_init"], clauses=(clause,))
    assert both == columns(CLAUSE, replace(registry, functions={"hsa_init": function}))


def test_a_run_in_which_all_pass_says_so(registry: Registry) -> None:
    head = headline(all_pass(), registry)
    assert head.tone == "good"
    expected = 'Passes set "all" of suite version 0.1.0: 29 of 29 applicable clauses pass (100%).'
    assert expected == head.text


@pytest.mark.parametrize(
    "verdict", [Verdict.UNTESTED, Verdict.NOT_APPLICABLE, Verdict.WARN, Verdict.FRAGILE]
)
def test_declared_gaps_and_warnings_are_told_beside_the_pass(
    registry: Registry, verdict: Verdict
) -> None:
    head = headline(passing_but(one=verdict), registry)
    assert head.tone == "good"
    assert f"1 {verdict}" in head.text
    assert verdict.fails(strict=True) == (", with warnings:" in head.text)


@pytest.mark.parametrize(
    "verdict",
    [Verdict.XFAIL, Verdict.BLOCKED, Verdict.VACUOUS, Verdict.NOT_RUN, Verdict.IMITATED],
)
def test_a_run_that_left_something_open_does_not_claim_to_pass(
    registry: Registry, verdict: Verdict
) -> None:
    head = headline(passing_but(one=verdict), registry)
    assert head.tone == "open"
    assert "does not show that the library passes" in head.text


def test_a_run_with_failures_says_how_many_of_which_kind(registry: Registry) -> None:
    head = headline(make_run(), registry)
    assert head.tone == "bad"
    assert (
        "5 of 26 applicable clauses fail (1 CRASH, 1 HANG, 1 FAIL, 1 FLAKY, 1 XPASS)" in head.text
    )


def test_a_run_that_judged_nothing_in_an_initialised_runtime_says_so_first(
    registry: Registry,
) -> None:
    run = make_run([make_result("hsa_init/offered", Verdict.PASS)])
    head = headline(replace(run, end=replace(ENDED, initialised=False)), registry)
    assert head.tone == "nothing"
    assert head.text.startswith("NOTHING WAS JUDGED in an initialised runtime")


def test_a_run_without_judged_clause_is_no_pass_whatever_its_end_says(registry: Registry) -> None:
    run = make_run([make_result(CLAUSE, Verdict.UNTESTED)])
    assert headline(run, registry).text.startswith("NOTHING WAS JUDGED")


def test_what_the_library_does_not_list_comes_first(registry: Registry) -> None:
    """The run passes nothing, though what was judged holds, and counts what was not."""
    run = all_pass()
    first, second, *others = FULL
    results = (
        make_result(first, Verdict.NOT_APPLICABLE, "satisfied"),
        make_result(second, Verdict.NOT_APPLICABLE, APPLICABILITY),
        *(make_result(clause, Verdict.PASS) for clause in others),
    )
    told = ("the machine has 2 GPUs, the library reports 1",)
    run = replace(run, started=replace(run.started, unlisted=told), results=results)
    head = headline(run, registry)
    assert ("open", False) == (head.tone, run.passes)
    assert head.text.startswith(
        "The machine has 2 GPUs, the library reports 1: 1 clause not judged. No clause fails"
    )


def test_a_run_without_end_was_cut_short(registry: Registry) -> None:
    run = make_run([make_result(CLAUSE, Verdict.PASS)], end=None)
    assert headline(run, registry).text.startswith("The run was cut short: 1 of 29 clauses")
    assert not run.passes


def test_a_run_that_was_cut_short_still_tells_its_failures(registry: Registry) -> None:
    head = headline(make_run([make_result(CLAUSE, Verdict.CRASH)], end=None), registry)
    assert head.tone == "bad"
    assert "1 CRASH" in head.text


def test_a_selection_of_whole_topics_is_named_by_them(registry: Registry) -> None:
    clauses = tuple(c for c in FULL if c.startswith("hsa_amd_vmem"))
    run = make_run([], started=replace(STARTED, clauses=clauses))
    assert selection(run, registry) == 'set "amd/vmem" of suite version 0.1.0'


def test_what_an_implementation_does_not_claim_is_not_said_to_pass(registry: Registry) -> None:
    """A set is named with how much of it the implementation claims."""
    started = replace(STARTED, subject=replace(SUBJECT, claims=("hsa_init", "hsa_shut_down")))
    of = f'of {len(registry.functions)}, in set "all" of suite version 0.1.0'
    assert selection(make_run([], started=started), registry) == (
        f"the 2 functions that it claims, {of}"
    )


def test_any_other_selection_is_named_by_its_size(registry: Registry) -> None:
    run = make_run([], started=replace(STARTED, clauses=tuple(FULL)[:2]))
    assert selection(run, registry) == "the set of 2 selected clauses of suite version 0.1.0"


def test_an_exit_status_of_trouble_is_told(registry: Registry) -> None:
    run = make_run(end=replace(ENDED, exit_status=3, summary="no child could be started"))
    expected = "The run ended with exit status 3: no child could be started"
    assert (expected,) == warnings(run, registry)


def test_an_imitated_run_tells_how_much_of_the_runtime_it_judged(registry: Registry) -> None:
    subject = replace(SUBJECT, imitation="virtual KFD, machine gfx90a")
    run = make_run(started=replace(STARTED, subject=subject))
    found = warnings(run, registry)
    assert (
        "The machine is imitated (virtual KFD, machine gfx90a): 22 of 26 clauses that apply, bind, "
        "and are the runtime's own to decide were judged (84.6%); the others say why not.",
    ) == found


def test_another_registry_than_the_one_that_judged_is_told(registry: Registry) -> None:
    found = warnings(make_run(), replace(registry, digest="sha256:other"))
    assert "another version of the registry" in found[0]


def test_a_stale_baseline_is_told_and_no_pass(registry: Registry) -> None:
    run = replace(all_pass(), end=replace(ENDED, exit_status=1, summary="2 stale entries"))
    assert not run.passes
    assert warnings(run, registry) == ("The run ended with exit status 1: 2 stale entries",)


def test_failures_are_told_even_when_the_runtime_was_never_initialised(registry: Registry) -> None:
    run = make_run([make_result(CLAUSE, Verdict.CRASH)], end=replace(ENDED, initialised=False))
    text = headline(run, registry).text
    assert text.startswith("NOTHING WAS JUDGED")
    assert "1 of 29 applicable clauses fail (1 CRASH)" in text


@pytest.mark.parametrize(
    ("release", "found", "expected"),
    [
        ("6.1.2", "its file name", "6.1.2 (from its file name)"),
        ("6.1.2", None, "6.1.2"),
        (None, None, "not found"),
    ],
)
def test_the_release_is_told_with_how_it_was_found(
    release: str | None, found: str | None, expected: str
) -> None:
    subject = replace(SUBJECT, release=release, release_from=found)
    assert expected == facts(make_run(started=replace(STARTED, subject=subject)))["Release"]


def test_the_command_can_be_pasted_into_a_shell() -> None:
    started = replace(STARTED, command=("run", "--via", "ssh node"))
    assert facts(make_run(started=started))["Command"] == "run --via 'ssh node'"


@pytest.mark.parametrize(
    ("device", "imitation", "expected"),
    [
        (True, None, "in sight"),
        (False, None, "none in sight"),
        (True, "virtual KFD, machine gfx90a", "imitated"),
    ],
)
def test_an_imitated_device_is_no_device_in_sight(
    device: bool, imitation: str | None, expected: str
) -> None:
    subject = replace(STARTED.subject, device=device, imitation=imitation)
    run = make_run(started=replace(STARTED, subject=subject))
    assert expected == facts(run)["Device node"]
