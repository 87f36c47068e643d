"""A run as JUnit XML, in the form that Jenkins and GitLab read: a suite for each function."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from xml.etree import ElementTree as ET

from hsa_reports.by_set import assumed, said, set_results, telling
from hsa_reports.cautions import warnings
from hsa_reports.facts import facts
from hsa_reports.failure import Failure
from hsa_reports.headline import headline
from hsa_reports.result import Result
from hsa_reports.run import Run
from hsa_reports.text import for_xml
from hsa_reports.verdicts import JUDGED, Verdict
from hsa_reports.words import CONTESTED, check_name, english, source, strength, why
from hsa_spec import Registry

_EXPECTED = frozenset({Verdict.XFAIL})


def render_junit(run: Run, registry: Registry) -> str:
    """Return the run as a JUnit XML document.

    A clause is a test case, its function the suite. Verdicts that make the run fail are failures.
    What was not judged, or fails as its baseline says, is skipped, with the reason. A first suite
    holds the run itself: it is an error when the run was cut short or could not be carried out.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.

    """
    root = ET.Element("testsuites", name="hsa-conformance")
    suites = [_suite(run, "hsa-conformance", [_run_case(run, registry)])]
    suites += [
        _suite(run, function, [_case(run, clause, registry) for clause in clauses])
        for function, clauses in run.functions.items()
    ]
    suites[0].insert(0, _properties(run, registry))
    root.extend(suites)
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in suites)))
    root.set("time", _seconds(run.results))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(run: Run, name: str, cases: list[ET.Element]) -> ET.Element:
    suite = ET.Element(
        "testsuite",
        name=for_xml(name),
        tests=str(len(cases)),
        failures=str(_count(cases, "failure")),
        errors=str(_count(cases, "error")),
        skipped=str(_count(cases, "skipped")),
        time=f"{sum(float(case.get('time', '0')) for case in cases):.3f}",
        timestamp=run.started.started.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
    )
    suite.extend(cases)
    return suite


def _properties(run: Run, registry: Registry) -> ET.Element:
    properties = ET.Element("properties")
    told = telling(set_results(run, registry))
    sets = {f"Set: {r.named.name}": said(r, run) for r in told}
    for name, value in {**facts(run), "Assumed": assumed(run), **sets}.items():
        ET.SubElement(properties, "property", name=for_xml(name), value=for_xml(value))
    return properties


def _run_case(run: Run, registry: Registry) -> ET.Element:
    case = ET.Element("testcase", classname="hsa-conformance", name="the run", time="0.000")
    words = for_xml(headline(run, registry).text)
    if run.end is None or run.end.exit_status not in (0, 1):
        ET.SubElement(case, "error", type="RUN", message=words)
    elif not run.end.initialised:
        ET.SubElement(case, "skipped", message=words)
    _output(case, "\n".join((words, *warnings(run, registry))))
    return case


def _case(run: Run, clause: str, registry: Registry) -> ET.Element:
    function, slug = clause.split("/", 1)
    results, verdict = run.by_clause[clause], run.verdicts[clause]
    case = ET.Element(
        "testcase", classname=for_xml(function), name=for_xml(slug), time=_seconds(results)
    )
    says = f"{english(clause, registry)} [{strength(clause, registry)}; {source(clause, registry)}]"
    message = for_xml(f"{run.label(clause)}: {why(run, clause)}")
    if verdict.fails(strict=run.started.strict):
        failure = ET.SubElement(case, "failure", type=str(verdict), message=message)
        failure.text = for_xml("\n\n".join([says, *_findings(results)]))
    elif verdict not in JUDGED or verdict in _EXPECTED:
        ET.SubElement(case, "skipped", message=message)
    elif clause in run.contested:
        _output(case, "\n\n".join([f"{verdict}, contested: {CONTESTED}", says]))
    elif verdict is not Verdict.PASS:
        _output(case, "\n\n".join([message, says, *_findings(results)]))
    return case


def _findings(results: Iterable[Result]) -> list[str]:
    return [
        f"{check_name(r.check)}: {r.label}\n{_explained(r.failure)}" for r in results if r.failure
    ]


def _explained(failure: Failure) -> str:
    steps = [f"  {step.process}: {step.call} -> {step.result}" for step in failure.steps]
    allowed = [f"  {a.status} ({', '.join(a.clauses)})" for a in failure.allowed]
    lines = [failure.summary, *steps, f"got: {failure.got}", "allowed:", *allowed]
    if failure.readings:
        lines += [
            "contested:",
            *(f"  {r.answer}, by {r.text} ({r.clause})" for r in failure.readings),
        ]
    if failure.detail:
        lines.append(failure.detail)
    if failure.place:
        lines.append(f"place: {failure.place.words}")
    if failure.seen:
        lines += ["seen:", failure.seen]
    if failure.stderr:
        lines += ["stderr:", failure.stderr]
    lines.append(f"reproduce: {failure.reproduce}")
    if failure.program:
        lines.append(f"as a program: {failure.program}")
    if failure.tried:
        lines.append(failure.tried)
    return "\n".join(lines)


def _output(case: ET.Element, text: str) -> None:
    ET.SubElement(case, "system-out").text = for_xml(text)


def _count(cases: Iterable[ET.Element], tag: str) -> int:
    return sum(case.find(tag) is not None for case in cases)


def _seconds(results: Iterable[Result]) -> str:
    return f"{sum(result.seconds for result in results):.3f}"
