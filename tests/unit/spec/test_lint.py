"""Linting finds what a schema cannot, says where, and finds nothing in the registry itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hsa_spec import Field, Registry, Struct, ids, load
from hsa_spec.lint import Finding, lint
from tests.unit.spec.lint_mistakes import MISTAKES, TEXT, contest
from tests.unit.spec.registry_texts import line_of, line_of_clause, write

pytestmark = pytest.mark.usefixtures("cache")


def findings(root: Path, text: str = TEXT, *, listed: bool = True) -> list[Finding]:
    registry = load(write(root, function=text))
    if listed:
        ids.update(registry)
    return lint(registry)


def test_registry_is_clean(registry: Registry) -> None:
    """Nothing is wrong with the registry of this package."""
    assert [] == [str(finding) for finding in lint(registry)]


def test_small_registry_is_clean(tmp_path: Path) -> None:
    """The text that the other tests break is right."""
    assert [] == findings(tmp_path)


@pytest.mark.parametrize(
    ("rule", "subject", "old", "new", "message"),
    [(*key, *mistake) for key, mistakes in MISTAKES.items() for mistake in mistakes],
)
def test_finds(tmp_path: Path, rule: str, subject: str, old: str, new: str, message: str) -> None:
    """Each mistake is found, with its subject, its rule and its line."""
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    found = [f for f in findings(tmp_path, text) if (f.rule, f.subject) == (rule, subject)]
    assert [message] == [message for f in found if message in f.message][:1]
    assert tmp_path / "core" / "do.yaml" == found[0].path
    mark = f"  {subject}:" if rule == "attribute" and subject.isupper() else f": {subject}"
    expected = line_of_clause(text, subject) if "/" in subject else line_of(text, mark)
    assert expected == found[0].line


def test_finds_a_handle_that_is_more_than_one_number(tmp_path: Path) -> None:
    """A handle is one member of 64 bits, wherever it comes from."""
    registry = load(write(tmp_path, function=TEXT))
    ids.update(registry)
    fields = (Field("a", "uint32_t", 0, 4), Field("b", "uint32_t", 4, 4))
    wide = Struct("hsa_thing_t", "hsa.h", "core/do", "A thing.", 8, 8, fields, handle=True)
    found = lint(replace(registry, structs={**registry.structs, "hsa_thing_t": wide}))
    assert ["a handle is one member of type uint64_t"] == [f.message for f in found]


def test_clauses_that_are_both_optional_may_share_conditions(tmp_path: Path) -> None:
    """Two clauses that only allow something do not exclude one another."""
    may = "strength: may\n    when: [initialized(), number < 0]"
    first = TEXT.replace("when: [not initialized()]", may, 1)
    both = first.replace("when: [initialized(), number < 0, thing != 0]", may.split("\n    ")[1], 1)
    assert "duplicate" not in {f.rule for f in findings(tmp_path, both)}


def test_contested_clauses_may_share_conditions(tmp_path: Path) -> None:
    """A contradiction that is declared as one is none of the registry."""
    readings = "{retval: ERROR, status: ERROR}", "{text: brief, status: anything}"
    text = TEXT.replace("when: count == 0", contest(*readings).replace("==", ">"), 1)
    assert "duplicate" not in {f.rule for f in findings(tmp_path, text)}


def test_finds_that_there_is_no_list_of_ids(tmp_path: Path) -> None:
    """Without a list the first thing to do is to make one."""
    [finding] = findings(tmp_path, listed=False)
    assert "ids" == finding.rule
    assert tmp_path / "ids.txt" == finding.path
    assert "run 'hsa-conformance spec lint --update-ids'" in finding.message


def test_finds_where_the_list_of_ids_differs(tmp_path: Path) -> None:
    """New, missing and revived ids are found at their place."""
    findings(tmp_path)
    listed = (tmp_path / "ids.txt").read_text(encoding="utf-8")
    listed = listed.replace("hsa_do/success\n", "hsa_do/old\n")
    listed = listed.replace("hsa_more/nowhere\n", "hsa_more/nowhere # retired: it was wrong\n")
    (tmp_path / "ids.txt").write_text(listed, encoding="utf-8")
    found = {f.subject: f for f in findings(tmp_path, listed=False)}
    assert {"hsa_do/success", "hsa_do/old", "hsa_more/nowhere"} == set(found)
    assert line_of_clause(TEXT, "hsa_do/success") == found["hsa_do/success"].line
    assert line_of(listed, "hsa_do/old") == found["hsa_do/old"].line
    assert "write 'hsa_do/old # retired: why'" in found["hsa_do/old"].message
    assert "a retired id is never used again" in found["hsa_more/nowhere"].message


def test_findings_come_in_the_order_of_the_files(tmp_path: Path) -> None:
    """Findings are sorted by file and line, and read like a compiler's."""
    text = TEXT.replace("length: count", "length: cuont").replace("count == 0", "count < 0")
    found = findings(tmp_path, text, listed=True)
    assert [f.line for f in found] == sorted(f.line or 0 for f in found)
    expected = (
        f"{tmp_path / 'core' / 'do.yaml'}:{line_of_clause(text, 'hsa_do/count-zero')}: "
        "hsa_do/count-zero: 'count < 0' can never hold [condition]"
    )
    assert expected == str(found[0])
