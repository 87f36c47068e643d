"""Rules: what they say is read, judged by clauses that there are, and refused where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError, Strength, ids, load
from hsa_spec.lint import Finding, lint
from hsa_spec.model import NOWHERE
from hsa_spec.pages import pages
from tests.unit.spec.registry_texts import FUNCTION, line_of, write

pytestmark = pytest.mark.usefixtures("cache")

RULE = """\
rule: thing
about: hsa_do
summary: A thing, from its creation to its end.
states:
  live: It can be used.
  gone: It cannot.
transitions:
  - {from: none, by: hsa_do, to: live, judged_by: hsa_do/success}
  - {from: live, by: hsa_do, status: ERROR, judged_by: hsa_do/count-zero}
  - {from: live, event: time passes, to: gone, judged_by: thing/ends}
  - {from: gone, by: hsa_do, status: anything, judged_by: hsa_do/success}
clauses:
  ends:
    states: Each thing ends.
    source: {specification: 2.4 Signals}
  counted:
    states: A count of 0 is refused.
    source: {retval: ERROR}
    judged_by: hsa_do/count-zero
"""


def registry_of(root: Path, text: str = RULE) -> Registry:
    write(root, function=FUNCTION)
    (root / "rules").mkdir(exist_ok=True)
    (root / "rules" / "thing.yaml").write_text(text, encoding="utf-8")
    registry = load(root)
    ids.update(registry)
    return registry


def findings(root: Path, old: str, new: str) -> list[Finding]:
    assert old in RULE
    return lint(registry_of(root, RULE.replace(old, new, 1)))


def test_a_rule_is_read(tmp_path: Path) -> None:
    """It has clauses of its own, and statements that those of functions judge."""
    registry = registry_of(tmp_path)
    assert [] == lint(registry)
    rule = registry.rules["thing"]
    assert ["thing/ends"] == [clause.id for clause in rule.clauses]
    assert [("thing/ends",), ("hsa_do/count-zero",)] == [s.judged_by for s in rule.statements]
    assert [(NOWHERE,), ("live",), ("live",), ("gone",)] == [t.before for t in rule.transitions]
    assert [False, False, False, True] == [t.undefined for t in rule.transitions]


def test_a_clause_of_a_rule_is_one_of_the_registry(tmp_path: Path) -> None:
    """It is found by its id, its rule, and the function that it cannot be shown without."""
    registry = registry_of(tmp_path)
    clause = registry.clauses["thing/ends"]
    assert registry.rules["thing"] == registry.subject(clause)
    assert clause in registry.clauses_about("hsa_do")
    for name in ("thing", "thing/ends", "rules/thing", "hsa_do"):
        assert clause in set(registry.select(name))


def test_what_the_specification_alone_says_is_should(tmp_path: Path) -> None:
    """A header binds an implementation of it; the specification says what it left out."""
    rule = registry_of(tmp_path).rules["thing"]
    assert [Strength.SHOULD, Strength.MUST] == [s.strength for s in rule.statements]


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ("2.4 Signals", "2.4 Signal Groups", "  ends:", "no section '2.4 Signal Groups'"),
        (
            "    source: {retval: ERROR}",
            "    source: {param: odd}",
            "  counted:",
            "no parameter odd",
        ),
        ("    judged_by: hsa_do/count-zero", "    judged_by: hsa_do/x", "  counted:", "hsa_do/x"),
        ("judged_by: hsa_do/success", "judged_by: hsa_do/x", "{from: none", "no clause hsa_do/x"),
        ("by: hsa_do,", "by: hsa_undo,", "{from: none", "there is no function hsa_undo"),
        ("to: gone", "to: lost", "time passes", "no state lost; the states are live, gone"),
        ("to: gone", "to: none", "time passes", "there is no state none"),
        ("from: live, event", "from: old, event", "time passes", "there is no state old"),
        ("to: gone, ", "", "  gone:", "nothing leads to the state gone"),
        ("status: ERROR,", "status: SUCCESS,", "status: SUCCESS", "do not have hsa_do answer"),
    ],
)
def test_a_mistake_is_found(tmp_path: Path, old: str, new: str, at: str, message: str) -> None:
    """The finding names what there is not, and the line."""
    found = findings(tmp_path, old, new)
    assert [message] == [message for f in found if message in f.message][:1]
    [finding] = [f for f in found if message in f.message]
    assert line_of(RULE.replace(old, new, 1), at) == finding.line


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("about: hsa_do\n", "about: hsa_undo\n", "there is no function hsa_undo"),
        ("status: ERROR", "status: ERROR_ODD", "HSA_STATUS_ERROR_ODD is not a status code"),
        ("event: time passes", "event: time passes, by: hsa_do", "expected"),
        ("summary", "sumary", "unknown key 'sumary'"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    """A rule that is about nothing, or misspelt, is no registry."""
    assert old in RULE
    with pytest.raises(RegistryError, match=message):
        registry_of(tmp_path, RULE.replace(old, new, 1))


def test_pages_have_a_diagram_and_a_table(tmp_path: Path) -> None:
    """The page of a rule draws its states; the table of all rules links each statement's judges."""
    made = pages(registry_of(tmp_path), ())
    diagram = made["rules/thing.md"].partition("```mermaid\n")[2].partition("```")[0]
    assert [
        "stateDiagram-v2",
        'state "live" as live',
        'state "gone" as gone',
        "[*] --> live: hsa_do",
        "live --> gone: time passes",
    ] == [line.strip() for line in diagram.splitlines()]
    assert "[`hsa_do/count-zero`](core/do/hsa_do.md#count-zero)" in made["rules.md"]
    assert "[`thing/ends`](rules/thing.md#ends)" in made["rules.md"]
