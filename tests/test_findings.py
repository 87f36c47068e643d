"""The baseline of ROCr, the pages of docs/findings and their programs say the same."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_conformance.baselines import Entry
from hsa_conformance.cli.findings import program
from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_reports.verdicts import Verdict, worst
from hsa_spec import Strength, load
from tests.finding_programs import CANNOT_TELL, NO_DEFECT, compiled_file
from tests.findings import FOLDER, INDEX, explained, findings, pages, releases, seen

ASSERTED = "by a failed assertion"
STRENGTHS = {
    Verdict.FAIL: {Strength.MUST},
    Verdict.WARN: {Strength.SHOULD, Strength.MAY},
    Verdict.FRAGILE: {Strength.MUST, Strength.SHOULD, Strength.MAY},
    Verdict.CRASH: {Strength.MUST, Strength.SHOULD, Strength.MAY},
    Verdict.HANG: {Strength.MUST, Strength.SHOULD, Strength.MAY},
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
    """The first table has each entry of the baseline, with the strength that the clause has now.

    An end by a failed assertion is marked as that: builds without assertions may answer.
    """
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    row = re.compile(
        r"^\| `(\S+)` \| (\w+) \| (\w+(?:, assertion)?) \| ([\d., ]+) \|$", re.MULTILINE
    )
    expected = [
        (
            finding.clause,
            str(load().clauses[finding.clause].strength),
            f"{finding.verdict}, assertion" if ASSERTED in finding.got else str(finding.verdict),
            ", ".join(release for release in releases() if finding.concerns(release)),
        )
        for finding in findings()
        if finding.finding == page
    ]
    assert expected == row.findall(text)


def test_the_index_has_the_worst_verdict_of_each_page_in_each_release() -> None:
    """Index and baseline say the same."""
    row = re.compile(r"^\| \[.*\]\((\S+)\.md\) \| (.*) \|$", re.MULTILINE)
    expected = {
        page: [str(worst(v)) if (v := seen(page, release)) else "-" for release in releases()]
        for page in pages()
    }
    found = row.findall(INDEX.read_text(encoding="utf-8"))
    assert expected == {page: cells.split(" | ") for page, cells in found}


def test_a_verdict_is_explained_for_the_releases_of_its_entry_alone() -> None:
    """Another release, verdict or clause is not explained."""
    finding = findings()[0]
    assert explained(finding.clause, "6.1.2", finding.verdict)
    assert not explained(finding.clause, "1.2.3", finding.verdict)
    assert not explained(finding.clause, "6.1.2", "HANG")
    assert not explained("hsa_init/success", "6.1.2", finding.verdict)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build(tmp_path_factory.mktemp("reference"), implemented(load()))
    except LibraryError as error:
        pytest.skip(str(error))


@every_page
def test_a_program_finds_no_defect_in_the_reference(
    page: str, finding_program: Callable[[str], Path], reference: Path, tmp_path: Path
) -> None:
    """It compiles without a warning, and can tell if the reference has one of its functions."""
    named = {finding.clause.split("/")[0] for finding in findings() if finding.finding == page}
    expected = NO_DEFECT if named & implemented(load()).functions.keys() else CANNOT_TELL
    # Nothing preloads a driver here, so the machine's folder is only written to.
    environment = {**os.environ, "HSA_VIRTUAL_KFD": str(tmp_path)}
    command = [finding_program(page), reference]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
    assert (expected, "") == (done.returncode, done.stderr), done.stdout


INCLUDES = re.compile(r'^#include ".+"$', re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    {
        tuple(INCLUDES.findall((FOLDER / f"{page}.c").read_text(encoding="utf-8"))): page
        for page in pages()
    }.values(),
)
def test_a_program_that_stands_alone_ends_alike(
    page: str, finding_program: Callable[[str], Path], reference: Path, tmp_path: Path
) -> None:
    """With the headers in it, it compiles without a warning; one page for each set of headers."""
    alone = tmp_path / "alone" / f"{page}.c"
    alone.parent.mkdir()
    alone.write_text(program(FOLDER / f"{page}.c"), encoding="utf-8")
    environment = {**os.environ, "HSA_VIRTUAL_KFD": str(tmp_path)}
    beside_headers, by_itself = (
        subprocess.run([made, reference], env=environment, capture_output=True, check=False)
        for made in (finding_program(page), compiled_file(alone, alone.parent))
    )
    assert beside_headers.returncode == by_itself.returncode


@every_page
def test_a_program_without_a_library_cannot_tell(
    page: str, finding_program: Callable[[str], Path]
) -> None:
    """Its exit status is the one that a test runner takes for skipped."""
    done = subprocess.run(
        [finding_program(page), "/no/such/library"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert CANNOT_TELL == done.returncode
    assert "cannot tell: /no/such/library" in done.stdout
