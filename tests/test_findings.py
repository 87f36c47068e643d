"""The pages of docs/findings are well-formed, and say something about this registry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from findings import INDEX, Finding, explained, findings, read

from hsa_reports.verdicts import Verdict
from hsa_spec import load

_RELEASE = re.compile(r"\d+\.\d+\.\d+")

#: The verdicts that a page may be about.
_AGAINST = {
    Verdict.FAIL,
    Verdict.WARN,
    Verdict.UNDOCUMENTED,
    Verdict.CRASH,
    Verdict.HANG,
}

every_page = pytest.mark.parametrize("finding", findings(), ids=lambda f: f.page.stem)


@every_page
def test_names_a_clause_of_the_registry(finding: Finding) -> None:
    """A page is about a clause that exists."""
    assert finding.clause in load().clauses


@every_page
def test_has_a_verdict_against_a_clause(finding: Finding) -> None:
    """A page is about a verdict that needs to be explained."""
    assert finding.verdict in _AGAINST


@every_page
def test_names_releases_as_numbers(finding: Finding) -> None:
    """Releases have three numbers, as hosts and packages give them."""
    assert [r for r in finding.releases if not _RELEASE.fullmatch(r)] == []


@every_page
def test_says_which_clause_and_how_strong_it_is(finding: Finding) -> None:
    """The text of a page repeats the clause, and its strength as the registry has it now."""
    text = finding.page.read_text(encoding="utf-8")
    strength = load().clauses[finding.clause].strength
    assert f"| Clause | `{finding.clause}` |" in text
    assert f"| Strength | `{strength}` |" in text


def test_the_index_has_a_row_for_each_release_of_each_finding() -> None:
    """Index and pages say the same."""
    row = re.compile(r"^\| (\S+) \| `(\S+)` \| (\S+) \| \[.*\]\((\S+)\) \|$", re.MULTILINE)
    expected = {
        (release, finding.clause, finding.verdict, finding.page.name)
        for finding in findings()
        for release in finding.releases
    }
    assert expected == set(row.findall(INDEX.read_text(encoding="utf-8")))


def test_a_verdict_is_explained_for_the_releases_of_its_page_alone() -> None:
    """Another release, verdict or clause is not explained."""
    finding = findings()[0]
    release = finding.releases[0]
    assert explained(finding.clause, release, finding.verdict)
    assert not explained(finding.clause, "1.2.3", finding.verdict)
    assert not explained(finding.clause, release, "HANG")
    assert not explained("hsa_init/success", release, finding.verdict)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# No front matter\n", "start the page with YAML"),
        ("---\nclause: a/b\nverdict: FAIL\n---\n", "exactly the keys"),
        ("---\n- clause\n---\n", "exactly the keys"),
        ("---\nclause: a/b\nreleases: []\nverdict: FAIL\n---\n", "with something in it"),
        ("---\nclause: a/b\nreleases: [6.1]\nverdict: FAIL\n---\n", "put it in quotes"),
    ],
)
def test_a_malformed_page_is_refused_with_what_to_do(
    tmp_path: Path, text: str, message: str
) -> None:
    """The message names the page and says what to write."""
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"page.md: .*{message}"):
        read(page)
