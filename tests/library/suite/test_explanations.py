"""What reports are told of the causes that baselines name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_conformance import source_tree
from hsa_conformance.findings.explanations import explanations
from hsa_reports import Weight
from hsa_spec import load
from tests.findings import FOLDER, findings, pages

OWN = """
implementation: x
releases: ["1.0", "2.0"]
entries:
  - {clause: hsa_init/success, verdict: CRASH, got: SIGSEGV, class: library, finding: of-ours,
     releases: 2.0.., reason: It does., upstream: [{repository: a/b, number: 7, kind: fix,
     state: merged, fixed_in: "2.1"}]}
  - {clause: hsa_shut_down/success, verdict: FAIL, got: A, class: library, finding: of-ours,
     reason: It does., releases: 2.0..}
  - {clause: hsa_shut_down/success, verdict: FAIL, got: B, class: library, reason: No name.}
"""


def test_every_finding_is_explained_as_its_page_and_the_baseline_do() -> None:
    found = explanations(load())
    assert pages() == sorted(found)
    one = found["wait-any-timeout"]
    assert (FOLDER / f"{one.id}.md").read_text().startswith(f"# {one.title}\n")
    assert [one.paragraph] == [e.reason for e in findings() if e.finding == one.id]
    assert (("7.2.4",), Weight.PROCESS, "the library", "findings/wait-any-timeout.md") == (
        one.releases,
        one.weight,
        one.defect,
        one.page,
    )
    assert ["ROCm/rocm-systems#8564 (fix, merged)"] == [
        f"{u.name} ({u.words})" for u in one.upstream
    ]


def test_a_cause_without_a_page_is_explained_by_its_entries(tmp_path: Path) -> None:
    """Somebody's own baseline names causes, too."""
    own = tmp_path / "own.yaml"
    own.write_text(OWN)
    [one] = explanations(load(), str(own)).values()
    assert ("of-ours", "It does", "It does.", ("2.0",)) == (
        one.id,
        one.title,
        one.paragraph,
        one.releases,
    )
    assert (None, None, None) == (one.weight, one.defect, one.page)
    assert ["fix, merged, in 2.1"] == [each.words for each in one.upstream]
    assert ["https://github.com/a/b/issues/7"] == [each.link for each in one.upstream]


def test_a_cause_may_be_an_address(tmp_path: Path) -> None:
    """Somebody's own tracker is a page, too."""
    own = tmp_path / "own.yaml"
    own.write_text(OWN.replace("of-ours", "https://example.org/bugs/7"))
    [one] = explanations(load(), str(own)).values()
    assert "https://example.org/bugs/7" == one.id == one.page


def test_without_the_pages_the_baselines_explain(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation may lack them."""
    monkeypatch.setattr(source_tree, "findings", lambda: None)
    one = explanations(load())["wait-any-timeout"]
    assert ("The result of a wait in vain is taken for an index", None) == (one.title, one.page)
