"""What is not written has a fixed meaning, which what is written overrides."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Kind, Registry, RegistryError, Strength, load
from hsa_spec.full_documents import as_yaml, in_full
from hsa_spec.loader import REGISTRY, documents
from tests.unit.spec.default_texts import AGENT, OUT, function_of, registry_of, text_of
from tests.unit.spec.registry_texts import line_of

pytestmark = pytest.mark.usefixtures("cache")


def test_a_document_is_about_the_header_of_its_folder(tmp_path: Path) -> None:
    """A header is named only where it is another one."""
    registry = registry_of(tmp_path, text_of())
    assert "hsa.h" == registry.functions["hsa_do"].header
    assert "hsa_ext_amd.h" == registry.enums["hsa_colour_t"].header


def test_a_folder_of_no_header_implies_none(tmp_path: Path) -> None:
    """Elsewhere a document has to name its header."""
    (tmp_path / "do.yaml").write_text("function: hsa_do\nsummary: Do it.\n", encoding="utf-8")
    with pytest.raises(RegistryError, match="'header' is a required property outside"):
        load(tmp_path)


def test_a_function_is_exported_and_its_parameters_are_inputs(tmp_path: Path) -> None:
    """What most functions have in common needs no key."""
    function = function_of(tmp_path, text_of("{name: count, type: uint32_t}"))
    assert ("linker", "in") == (function.export, function.params[0].direction)
    table = function_of(tmp_path, text_of(OUT, more="export: table"))
    assert ("table", "out") == (table.export, table.params[0].direction)


def test_statuses_need_no_prefix(tmp_path: Path) -> None:
    """Both spellings mean the same, in lists, clauses and sources."""
    short = "wrong: {when: 1 == references(), status: ERROR, source: {retval: ERROR}}"
    long = short.replace("ERROR", "HSA_STATUS_ERROR")
    listed = "[SUCCESS, ERROR]"
    expected = function_of(tmp_path, text_of(documented=listed, clauses=short))
    assert ("HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR") == expected.documented
    prefixed = "[HSA_STATUS_SUCCESS, HSA_STATUS_ERROR]"
    assert expected == function_of(tmp_path, text_of(documented=prefixed, clauses=long))


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("references() == 2", ["initialized()", "references() == 2"]),
        (
            "references() == 2 and not is_mapped(7)",
            ["initialized()", "references() == 2", "not is_mapped(7)"],
        ),
        (
            'supports("this and that") and references() == 2',
            ["initialized()", 'supports("this and that")', "references() == 2"],
        ),
        ("[initialized(), references() == 2]", ["initialized()", "references() == 2"]),
        ("not initialized() and references() == 0", ["not initialized()", "references() == 0"]),
        ("references() == 2, anytime: true", ["references() == 2"]),
    ],
)
def test_a_runtime_is_initialized_unless_the_clause_says_otherwise(
    tmp_path: Path, when: str, expected: list[str]
) -> None:
    """Conditions are a list, or a text with `and` between them."""
    quoted = when if when[0] == "[" or "anytime" in when else f"'{when}'"
    clauses = f"wrong: {{when: {quoted}, status: ERROR, source: {{text: brief}}}}"
    clause = function_of(tmp_path, text_of(clauses=clauses)).clause("wrong")
    assert expected == [atom.text for atom in clause.when]


@pytest.mark.parametrize(
    ("clause", "strength", "source"),
    [
        ("status: ERROR_INVALID_AGENT", "must", "@retval HSA_STATUS_ERROR_INVALID_AGENT"),
        ("status: ERROR, source: {text: details}", "should", "details"),
        ("status: ERROR_INVALID_AGENT, strength: may, source: {text: brief}", "may", "brief"),
        ("status: [SUCCESS, ERROR_INVALID_AGENT], source: {text: brief}", "must", "brief"),
    ],
)
def test_strength_and_source_follow_from_the_list(
    tmp_path: Path, clause: str, strength: str, source: str
) -> None:
    """What the list of statuses has binds, and the list is where it comes from."""
    clauses = f"wrong: {{when: references() == 2, {clause}}}"
    found = function_of(tmp_path, text_of(clauses=clauses)).clause("wrong")
    assert (strength, f"hsa.h, hsa_do, {source}") == (found.strength, str(found.source))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{enumerator: HSA_COLOUR_RED}", "hsa_ext_amd.h, HSA_COLOUR_RED"),
        ("{header: hsa_other.h, text: brief}", "hsa_other.h, hsa_do, brief"),
    ],
)
def test_a_source_is_in_the_header_of_what_it_names(
    tmp_path: Path, source: str, expected: str
) -> None:
    """Another header is named only where nothing says which."""
    clauses = f"seen: {{states: It can be seen., source: {source}}}"
    clause = function_of(tmp_path, text_of(clauses=clauses)).clause("seen")
    assert expected == str(clause.source)


def test_a_note_alone_is_added_to_the_implied_source(tmp_path: Path) -> None:
    """The list stays what the clause is from."""
    source = "source: {note: it says so}"
    clauses = f"wrong: {{when: references() == 2, status: ERROR_INVALID_AGENT, {source}}}"
    clause = function_of(tmp_path, text_of(clauses=clauses)).clause("wrong")
    expected = "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_AGENT (it says so)"
    assert expected == str(clause.source)


def test_what_is_undefined_is_not_tested(tmp_path: Path) -> None:
    """Unless another reason is given."""
    open_ended = "{states: Nobody knows., strength: undefined, source: {text: brief}"
    clauses = f"first: {open_ended}}}\nsecond: {open_ended}, untestable: it is a secret}}"
    function = function_of(tmp_path, text_of(clauses=clauses))
    reason = "what is undefined is recorded and never judged"
    assert reason == function.clause("first").untestable
    assert "it is a secret" == function.clause("second").untestable


def test_a_clause_that_only_states_something_is_an_effect(tmp_path: Path) -> None:
    """An effect binds unless it says how far."""
    clauses = "seen: {states: It can be seen., source: {text: brief}}"
    clause = function_of(tmp_path, text_of(clauses=clauses)).clause("seen")
    assert (Kind.EFFECT, Strength.MUST) == (clause.kind, clause.strength)


def refused(folder: Path, text: str) -> RegistryError:
    with pytest.raises(RegistryError) as error:
        registry_of(folder, text)
    return error.value


@pytest.mark.parametrize(
    ("more", "at", "rule"),
    [
        ({"without": "[sucess]"}, "without", "without.sucess: nothing implies it"),
        ({"without": "[success]", "clauses": "success:"}, "without", "success: it is there"),
        ({"clauses": "other:"}, "other:", "clauses.other: 'when' is a required property here"),
        ({"clauses": "a: {status: ERROR}"}, "a:", "clauses.a: 'when' is a required property"),
        ({"clauses": "a: {when: 1 == 1}"}, "a:", "clauses.a: 'status' is a required property"),
        (
            {"clauses": "a: {when: 1 == 1, status: ERROR}"},
            "a:",
            "clauses.a: 'source' is a required property here; no rule implies it",
        ),
        (
            {"clauses": "a: {when: 1 == 1, status: ERROR, source: {note: why not}}"},
            "a:",
            "clauses.a: source: a note alone, and no rule implies the rest",
        ),
        ({"clauses": "a: {states: It is so.}"}, "a:", "clauses.a: 'source' is a required"),
        ({"clauses": "a: {strength: undefined}"}, "a:", "clauses.a: 'states' is a required"),
        ({"clauses": "a: {anytime: true, status: ERROR}"}, "a:", "'when' is a dependency"),
        ({"clauses": "a: {status: EROR, when: 1 == 1}"}, "status: EROR", "HSA_STATUS_EROR is not"),
    ],
)
def test_refuses_what_no_rule_completes(
    tmp_path: Path, more: dict[str, str], at: str, rule: str
) -> None:
    """The error names the line of what is incomplete."""
    text = text_of(**more)
    error = refused(tmp_path, text)
    assert rule in error.rule
    assert line_of(text, at) == error.line


def test_an_error_in_a_default_names_the_function(tmp_path: Path) -> None:
    """A handle whose term does not exist is noticed where it is used."""
    text = text_of(AGENT).replace("unless: is_agent", "unless: is_agnet")
    error = refused(tmp_path, text)
    assert "'is_agnet' is not a term" in error.rule
    assert line_of(text, "function: hsa_do") == error.line


def test_a_document_in_full_marks_its_defaults(tmp_path: Path) -> None:
    """What the file does not name is told apart from what it names."""
    registry_of(tmp_path, text_of(OUT, clauses="success:"))
    full = in_full("hsa_do", tmp_path) or ""
    assert "\n  value-null:  # by default\n" in full
    assert "\n  success:\n" in full
    assert in_full("hsa_undo", tmp_path) is None


def test_the_registry_in_full_is_the_same_registry(tmp_path: Path, registry: Registry) -> None:
    """Clauses, ids, their order and the digest do not depend on what is left to defaults."""
    texts: dict[Path, list[str]] = {}
    for document in documents():
        texts.setdefault(document.path.relative_to(REGISTRY), []).append(as_yaml(document))
    for path, parts in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("---\n".join(parts), encoding="utf-8")
    full = load(tmp_path)
    assert list(registry.clauses.items()) == list(full.clauses.items())
    assert registry.functions == full.functions
    assert registry.digest == full.digest
