"""Causes, clauses, search and filters of a run's page, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_reports import Explanation, Step, Upstream, Verdict
from hsa_reports.upstream import Kind, State
from tests.rocr.reports.page_actions import CRASH, Open, choose, clauses, focus, found
from tests.unit.reports.report_samples import make_result, make_run


def test_the_page_shows_causes_and_functions_folded(opened: Open) -> None:
    window = opened()
    assert found(window) == "29 of 29 clauses, 7 causes"
    assert len(window.texts(".cause")) == 7
    assert len(window.texts(".function")) == 7
    assert clauses(window) == []


def test_the_worst_cause_comes_first_and_opens_with_its_example(opened: Open) -> None:
    window = opened()
    window.run("document.querySelector('.cause summary').click()")
    [first, *_] = window.texts(".cause")
    assert first.startswith("CRASH")
    for part in (
        "Shortest call sequence A hsa_init() → HSA_STATUS_SUCCESS",
        "Got SIGSEGV",
        "Last lines the library printed Assertion failed",
        f"Run it again hsa-conformance reproduce {CRASH}",
        f"hsa-conformance reproduce runs/1/events.jsonl {CRASH} --c Copy",
    ):
        assert part in first


def test_the_middle_of_a_long_sequence_is_folded(opened: Open) -> None:
    steps = tuple(Step("main", f"call_{n}()", "HSA_STATUS_SUCCESS") for n in range(1, 101))
    result = make_result(CRASH, Verdict.CRASH)
    assert result.failure is not None
    failure = replace(result.failure, steps=steps)
    window = opened(make_run([replace(result, failure=failure)]))
    window.run("document.querySelector('.cause summary').click()")
    ends = [*range(1, 11), *range(81, 101)]
    assert [f"main call_{n}() → HSA_STATUS_SUCCESS" for n in ends] == window.texts(".steps li")
    assert ["70 more steps"] == window.texts(".middle summary")
    window.run("document.querySelector('.middle summary').click()")
    window.wait("document.querySelectorAll('.steps li').length === 100")
    assert [f"main call_{n}() → HSA_STATUS_SUCCESS" for n in range(1, 101)] == window.texts(
        ".steps li"
    )


def test_a_cause_says_all_that_is_known_of_it(opened: Open) -> None:
    fix = Upstream("ROCm/rocm-systems", 8564, Kind.FIX, State.MERGED, "7.3.0")
    known = Explanation(
        "size-zero",
        "A size of zero is divided by",
        "It is not looked at.",
        releases=("6.1.2", "7.2.4"),
        page="findings/size-zero.md",
        upstream=(fix,),
    )
    run = make_run(
        [replace(make_result(CRASH, Verdict.XFAIL), known=Verdict.CRASH, cause=known.id)]
    )
    window = opened(run, "#cause-size-zero", **{known.id: known})
    [cause] = window.texts(".cause")
    for part in (
        "A size of zero is divided by",
        "1 clause, expected",
        "It is not looked at.",
        "Id cause-size-zero",
        "6.1.2, 7.2.4",
        "docs/findings/size-zero.md",
        "ROCm/rocm-systems#8564 (fix, merged, in 7.3.0)",
    ):
        assert part in cause
    [link] = window.run("[...document.querySelectorAll('.cause a')].map((a) => a.href)")[1:2]
    assert link == fix.link


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("sigsegv", [CRASH]),
        ("vmem size must crash", [CRASH]),
        ("NEEDS FAULT INJECTION", ["hsa_init/no-memory"]),
        ("hsa_agent_get_info pool", ["hsa_agent_get_info/no-agent"]),
        ("futex_wait_queue", ["hsa_amd_vmem_address_reserve/too-large"]),
        ("no such thing", []),
    ],
)
def test_one_search_finds_signals_words_reasons_functions_and_output(
    opened: Open, words: str, ids: list[str]
) -> None:
    window = opened()
    window.press("/")
    window.write(words)
    assert clauses(window) == ids
    assert found(window).startswith(f"{len(ids)} of 29 clauses, ")


@pytest.mark.parametrize(
    ("name", "value", "count"),
    [
        ("verdict", "FRAGILE", 1),
        ("strength", "should", 7),
        ("topic", "amd/vmem", 12),
        ("function", "hsa_init", 4),
        ("status", "HSA_STATUS_SUCCESS", 7),
    ],
)
def test_each_filter_leaves_what_has_its_value(
    opened: Open, name: str, value: str, count: int
) -> None:
    window = opened()
    choose(window, name, value)
    assert found(window).startswith(f"{count} of 29 ")
    assert len(clauses(window)) == count
    option = f"document.querySelector('select[name={name}]').selectedOptions[0].textContent"
    assert window.run(option) == f"{value} ({count})"


def test_an_expected_failure_is_found_by_what_it_really_is(opened: Open) -> None:
    run = make_run([replace(make_result(CRASH, Verdict.XFAIL), known=Verdict.CRASH)])
    for verdict in ("XFAIL", "CRASH"):
        assert clauses(opened(run, f"#?verdict={verdict}")) == [CRASH]


def test_a_run_on_several_machines_can_be_filtered_by_each(opened: Open) -> None:
    results = [
        replace(make_result(CRASH, Verdict.PASS), machine="gfx90a; gfx1100"),
        replace(make_result("hsa_init/counts", Verdict.PASS), machine="gfx90a"),
    ]
    assert len(clauses(opened(make_run(results), "#?machine=gfx90a"))) == 2
    assert clauses(opened(make_run(results), "#?machine=gfx1100")) == [CRASH]


def test_search_and_filters_in_the_address_combine(opened: Open) -> None:
    window = opened(place="#?q=size&topic=amd/vmem&strength=must&verdict=FAIL")
    assert clauses(window) == ["hsa_amd_vmem_address_free/size-differs"]


def test_the_address_says_what_is_shown_and_the_back_button_goes_back(opened: Open) -> None:
    window = opened()
    choose(window, "topic", "amd/vmem")
    choose(window, "verdict", "FAIL")
    assert window.run("location.hash") == "#?verdict=FAIL&topic=amd/vmem"
    window.run("void setTimeout(() => history.back())")
    window.wait("document.getElementById('found').textContent.startsWith('12 of 29')")
    window.run("void setTimeout(() => history.back())")
    window.wait("document.getElementById('found').textContent.startsWith('29 of 29')")


def test_what_is_typed_in_one_go_is_one_step_back(opened: Open) -> None:
    window = opened()
    window.press("/")
    for letter in "zero":
        window.write(letter)
    assert window.run("location.hash") == "#?q=zero"
    window.run("void setTimeout(() => history.back())")
    window.wait("document.getElementById('found').textContent.startsWith('29 of 29')")


@pytest.mark.parametrize("place", ["hsa_init/counts", "hsa_init/counts?verdict=CRASH"])
def test_a_link_leads_to_its_clause_even_where_a_filter_hides_it(opened: Open, place: str) -> None:
    window = opened(place=f"#{place}")
    assert focus(window) == "hsa_init/counts"
    assert "Every call needs a shut-down of its own." in " ".join(window.texts(".clause[open]"))


def test_a_link_to_a_function_opens_it(opened: Open) -> None:
    window = opened(place="#hsa_init")
    assert focus(window) == "hsa_init"
    assert len(clauses(window)) == 4


def test_a_link_in_the_page_keeps_what_is_searched_for(opened: Open) -> None:
    window = opened(place="#?q=sigsegv")
    window.run("document.querySelector('nav a[href=\"#causes\"]').click()")
    window.wait("location.hash.startsWith('#causes')")
    assert window.run("location.hash") == "#causes?q=sigsegv"
    assert clauses(window) == [CRASH]


def test_a_topic_of_the_summary_leads_to_its_clauses(opened: Open) -> None:
    window = opened()
    window.run(
        "[...document.querySelectorAll('.topics a')].find((a) => /pools/.test(a.text)).click()"
    )
    window.wait("document.getElementById('found').textContent.startsWith('5 of 29')")


def test_a_cell_of_the_matrix_leads_to_its_clauses(opened: Open) -> None:
    window = opened()
    window.run("document.querySelector('#matrix summary').click()")
    window.wait("document.querySelector('.matrix')")
    [cell] = [cell for cell in window.texts(".matrix td") if cell.startswith("CRASH")]
    assert cell == "CRASH 1/2"
    window.run(
        "[...document.querySelectorAll('.matrix td a')].find((a) => /CRASH/.test(a.text)).click()"
    )
    window.wait("location.hash.includes('status=')")
    function = "hsa_amd_vmem_address_reserve"
    assert clauses(window) == [f"{function}/zero-size", f"{function}/odd-size"]


def test_the_matrix_has_the_real_verdict_of_an_expected_failure(opened: Open) -> None:
    run = make_run([replace(make_result(CRASH, Verdict.XFAIL), known=Verdict.CRASH)])
    window = opened(run)
    window.run("document.querySelector('#matrix summary').click()")
    window.wait("document.querySelector('.matrix')")
    assert "XFAIL CRASH 1/2" in window.texts(".matrix td")
