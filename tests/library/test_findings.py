"""The baseline of ROCr, the pages of docs/findings and their programs say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hsa_conformance.baselines import Entry
from hsa_conformance.findings.pages import UPSTREAM, WEIGHTS, Defect, read_findings
from hsa_reports import Verdict, Weight
from hsa_reports.failure import ASSERTED
from hsa_spec import Strength, load
from tests.findings import (
    FOLDER,
    explained,
    findings,
    pages,
    releases,
)
from tests.unit.spec.metadata import Metadata

STRENGTHS = {
    Verdict.FAIL: {Strength.MUST},
    # Of a must: what a refusal of memory costs behind the call that met it.
    Verdict.WARN: {Strength.MUST, Strength.SHOULD, Strength.MAY},
    Verdict.FRAGILE: {Strength.MUST, Strength.SHOULD, Strength.MAY},
    Verdict.CRASH: {Strength.MUST, Strength.SHOULD, Strength.MAY},
    Verdict.HANG: {Strength.MUST, Strength.SHOULD, Strength.MAY},
    Verdict.FLAKY: {Strength.MUST, Strength.SHOULD, Strength.MAY},
}

every_finding = pytest.mark.parametrize(
    "finding", findings(), ids=lambda f: f"{f.clause} {f.verdict}"
)
every_page = pytest.mark.parametrize("page", pages())


@every_finding
def test_the_strength_of_a_clause_allows_its_verdict(finding: Entry) -> None:
    """A finding is about a clause that exists and is strong enough for what is said."""
    clause = load().clauses[finding.clause]
    assert clause.strength in STRENGTHS[finding.verdict]
    # Dying is none of the readings; where one is that anything may happen, any status is right.
    assert not clause.open or finding.verdict is Verdict.FRAGILE


@every_finding
def test_a_finding_was_seen(finding: Entry) -> None:
    """Its range begins and ends with releases that were run."""
    assert {finding.releases.lowest, finding.releases.highest} <= set(releases())


def test_every_finding_has_a_page_and_a_program() -> None:
    """No page and no program is about nothing."""
    named = {finding.finding for finding in findings()}
    assert named == set(pages())
    assert named == {path.stem for path in FOLDER.glob("*.c")}


@every_page
def test_a_page_begins_with_its_clauses(page: str) -> None:
    """The first table has the entries of the baseline, with the strength that clauses have now.

    Entries that differ by how a process ends, or by what it had, alone are one row.
    An end by a failed assertion is marked as that: builds without assertions may answer.
    """
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    row = re.compile(
        r"^\| `(\S+)` \| (\w+) \| (\w+(?:, assertion)?) \| ([\d., ]+) \|$", re.MULTILINE
    )
    entries = [
        (
            finding.clause,
            str(load().clauses[finding.clause].strength),
            f"{finding.verdict}, assertion" if ASSERTED in finding.got else str(finding.verdict),
            ", ".join(release for release in releases() if finding.concerns(release)),
        )
        for finding in findings()
        if finding.finding == page
    ]
    assert [*dict.fromkeys(entries)] == row.findall(text)


@every_page
def test_the_code_of_a_page_is_shown_as_code(page: str) -> None:
    """Outside of a block of code, which is indented, no line ends a statement or a comment of C."""
    text = (FOLDER / f"{page}.md").read_text()
    assert [] == [line for line in text.splitlines() if re.match(r"\S.*(\*/|\);)$", line)]


def test_every_page_has_a_weight_and_says_whose_defect_it_is() -> None:
    """Page, index and the baseline of its clauses say the same."""
    found = read_findings(FOLDER)
    assert pages() == sorted(finding.name for finding in found)
    for finding in found:
        text = (FOLDER / f"{finding.name}.md").read_text(encoding="utf-8")
        assert f"\nDefect of: {finding.defect.meaning}" in text, finding.name
        of = {entry.defect for entry in findings() if entry.finding == finding.name}
        # Of what one cause does, some may be plainly wrong, and some by one reading alone.
        assert next(defect for defect in Defect if defect in of) is finding.defect, finding.name


def test_a_handle_that_no_call_returned_is_wrong_by_one_reading_alone() -> None:
    """Whether such a handle is noticed is left to the implementation: no text is plain there."""
    metadata = Metadata(load())
    wrong = {e.defect for e in findings() if metadata.is_wrong_handle(load().clauses[e.clause])}
    assert not wrong & {"library"}


@every_finding
def test_a_library_is_blamed_for_an_assertion_by_what_comes_without_it(finding: Entry) -> None:
    """A failed assertion alone is a build option: the page says what else goes wrong."""
    words = " ".join((FOLDER / f"{finding.finding}.md").read_text("utf-8").split())
    blamed = ASSERTED in finding.got and finding.defect == Defect.LIBRARY
    assert not blamed or "without assertions" in words.lower()


@every_finding
def test_either_reading_needs_two_texts(finding: Entry) -> None:
    """What is right by one of two texts is a contested clause, which cites both."""
    clause = load().clauses[finding.clause]
    assert finding.defect != Defect.READING or clause.contested


def test_a_page_names_no_second_reading_of_a_clause_that_has_one() -> None:
    """Only pages of contested clauses say "either reading"."""
    said = {p for p in pages() if "either reading" in (FOLDER / f"{p}.md").read_text("utf-8")}
    by_reading = {entry.finding for entry in findings() if entry.defect == Defect.READING}
    assert not said - by_reading


def test_what_a_finding_weighs_fits_its_verdicts() -> None:
    """What ends the process was seen to do so; a wrong status is no success."""
    for finding in read_findings(FOLDER):
        entries = [entry for entry in findings() if entry.finding == finding.name]
        ends = {Verdict.CRASH, Verdict.HANG, Verdict.FRAGILE}
        if finding.weight is Weight.PROCESS:
            signals = (entry.got.startswith("SIG") for entry in entries)
            assert any(signals) or any(e.verdict in ends for e in entries), finding.name
        if finding.defect is Defect.BUILD:
            assert finding.weight is Weight.ROBUSTNESS, finding.name
        if finding.weight in (Weight.RESULT, Weight.RESOURCES, Weight.STATUS):
            assert any(entry.verdict not in ends for entry in entries), finding.name


def test_a_finding_without_a_known_weight_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One\n", encoding="utf-8")
    (tmp_path / WEIGHTS).write_text("one: {weight: heavy, defect: library}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="heavy"):
        read_findings(tmp_path)


ENTRY = "{repository: ROCm/rocm-systems, number: 1, kind: fix, state: open}"


@pytest.mark.parametrize(
    ("upstream", "message"),
    [
        (f"two: [{ENTRY}]", "two is no finding"),
        (f"one: [{ENTRY.replace('number: 1, ', '')}]", "'number' is a required property"),
        (f"one: [{ENTRY.replace('open', 'fixed')}]", "one.0.state: 'fixed' is not one of"),
        (f"one: [{ENTRY.replace('open', 'open, fixed_in: 7.2.5')}]", "one.0.state: 'open'"),
        (f"one: [{ENTRY.replace('kind', 'sort')}]", "one.0: unknown key 'sort'"),
        ("one: []", "one: "),
    ],
)
def test_what_is_upstream_of_a_finding_is_checked(
    tmp_path: Path, upstream: str, message: str
) -> None:
    (tmp_path / "one.md").write_text("# One\n", encoding="utf-8")
    (tmp_path / WEIGHTS).write_text("one: {weight: status, defect: library}\n", encoding="utf-8")
    (tmp_path / UPSTREAM).write_text(f"one: [{ENTRY}]\n", encoding="utf-8")
    [finding] = read_findings(tmp_path)
    assert ["ROCm/rocm-systems#1"] == [each.name for each in finding.upstream]
    (tmp_path / UPSTREAM).write_text(upstream, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_findings(tmp_path)


def test_a_verdict_is_explained_for_the_releases_of_its_entry_alone() -> None:
    """Another release, verdict or clause is not explained."""
    finding = findings()[0]
    assert explained(finding.clause, "6.1.2", finding.verdict)
    assert not explained(finding.clause, "1.2.3", finding.verdict)
    assert not explained(finding.clause, "6.1.2", "HANG")
    assert not explained("hsa_system_get_info/success", "6.1.2", finding.verdict)
