"""The JUnit XML document."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import pytest

from hsa_reports import Run, RunEnded, Verdict, render_junit
from hsa_spec import Registry
from tests.unit.reports.report_samples import (
    ENDED,
    FULL,
    HOSTILE,
    STARTED,
    hostile_run,
    make_result,
    make_run,
)

FAILING = {"CRASH", "HANG", "FAIL", "FLAKY", "XPASS"}
SILENT = {"PASS", "FRAGILE", "WARN", "UNDOCUMENTED"}


def parse(run: Run, registry: Registry) -> Element:
    return ET.fromstring(render_junit(run, registry).encode("utf-8"))


def cases(run: Run, registry: Registry) -> dict[str, Element]:
    found = parse(run, registry).iter("testcase")
    return {f"{case.get('classname')}/{case.get('name')}": case for case in found}


def test_every_clause_is_a_test_case(registry: Registry) -> None:
    assert {*FULL, "hsa-conformance/the run"} == set(cases(make_run(), registry))


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_fails_is_skipped_or_passes(registry: Registry, verdict: Verdict) -> None:
    clause = next(clause for clause, found in FULL.items() if found is verdict)
    case = cases(make_run(), registry)[clause]
    tags = {child.tag for child in case} & {"failure", "error", "skipped"}
    expected = "failure" if verdict in FAILING else "skipped"
    assert (set() if verdict in SILENT else {expected}) == tags


def test_a_skip_says_why(registry: Registry) -> None:
    skipped = [case.find("skipped") for case in cases(make_run(), registry).values()]
    messages = [element.get("message", "") for element in skipped if element is not None]
    assert "UNTESTED: needs fault injection" in messages
    assert all(re.fullmatch(r"[A-Z_]+: .+", message) for message in messages)


def test_an_expected_failure_keeps_its_verdict(registry: Registry) -> None:
    found = make_result("hsa_init/first-call", Verdict.XFAIL)
    assert found.failure
    failure = replace(found.failure, got="CRASH (SIGABRT, by a failed assertion)")
    run = make_run([replace(found, known=Verdict.FRAGILE, failure=failure)])
    skipped = cases(run, registry)[found.clause].find("skipped")
    assert skipped is not None
    assert skipped.get("message", "").startswith("XFAIL (FRAGILE SIGABRT): ")


def test_a_warning_fails_in_a_strict_run(registry: Registry) -> None:
    clause = "hsa_agent_get_info/no-output"
    strict = make_run(started=replace(STARTED, strict=True))
    assert cases(strict, registry)[clause].find("failure") is not None
    assert "did not answer" in cases(make_run(), registry)[clause].findtext("system-out", "")


def test_a_failure_tells_the_clause_the_calls_and_how_to_reproduce_it(registry: Registry) -> None:
    text = cases(make_run(), registry)["hsa_amd_vmem_address_reserve/zero-size"].findtext(
        "failure", ""
    )
    for part in ("The size is zero.", "hsa_init() -> ", "got: SIGSEGV", "reproduce: hsa-conf"):
        assert part in text
    assert "as a program: hsa-conformance reproduce runs/1/events.jsonl" in text
    assert text.endswith("\nThe program was not run.")


def test_the_totals_of_every_suite_are_those_of_its_cases(registry: Registry) -> None:
    root = parse(make_run(), registry)
    for suite in root.iter("testsuite"):
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        for total, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(total, "")) == len(suite.findall(f"testcase/{tag}"))
    for total in ("tests", "failures", "errors"):
        assert int(root.get(total, "")) == sum(int(suite.get(total, "")) for suite in root)


def test_the_document_has_only_what_jenkins_and_gitlab_read_in_their_order(
    registry: Registry,
) -> None:
    order = ["skipped", "error", "failure", "system-out", "system-err"]
    root = parse(make_run(), registry)
    assert {"name", "tests", "failures", "errors", "time"} == set(root.attrib)
    for suite in root:
        assert suite.tag == "testsuite"
        names = {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}
        assert names == set(suite.attrib)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", ""))
        assert {child.tag for child in suite} <= {"properties", "testcase"}
        assert all(child.tag != "properties" for child in suite[1:])
    for case in root.iter("testcase"):
        assert {"name", "classname", "time"} == set(case.attrib)
        tags = [child.tag for child in case]
        assert sorted(tags, key=order.index) == tags


@pytest.mark.parametrize("kind", HOSTILE)
def test_any_text_of_a_library_gives_well_formed_xml(registry: Registry, kind: str) -> None:
    run = hostile_run(HOSTILE[kind])
    assert "hsa_init/first-call" in cases(run, registry)
    assert len(render_junit(run, registry)) < 200_000


def test_control_characters_are_stripped(registry: Registry) -> None:
    text = render_junit(hostile_run("a\x1b[31m\x00\x9bb"), registry)
    assert "a[31mb" in text
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text) == []


@pytest.mark.parametrize("end", [None, replace(ENDED, exit_status=3)], ids=["cut short", "exit 3"])
def test_a_run_that_was_not_carried_out_is_an_error(
    registry: Registry, end: RunEnded | None
) -> None:
    run = make_run([make_result("hsa_init/offered", Verdict.PASS)], end=end)
    assert cases(run, registry)["hsa-conformance/the run"].find("error") is not None


def test_a_run_without_device_that_expected_none_is_skipped(registry: Registry) -> None:
    end = replace(ENDED, exit_status=0, initialised=False)
    skipped = cases(make_run([], end=end), registry)["hsa-conformance/the run"].find("skipped")
    assert skipped is not None
    assert skipped.get("message", "").startswith("NOTHING WAS JUDGED")
