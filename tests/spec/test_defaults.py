"""What is not written has a fixed meaning, which what is written overrides."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from hsa_spec import Clause, Function, Kind, Registry, RegistryError, Strength, load
from hsa_spec.in_full import as_yaml, in_full
from hsa_spec.loader import REGISTRY, documents
from tests.spec.registry_texts import line_of

pytestmark = pytest.mark.usefixtures("cache")

TYPES = """\
enum: hsa_status_t
summary: Status codes.
enumerators:
  - {name: HSA_STATUS_SUCCESS, value: 0, summary: All is well.}
  - {name: HSA_STATUS_ERROR, value: 0x1000, summary: Something is wrong.}
  - {name: HSA_STATUS_ERROR_INVALID_ARGUMENT, value: 0x1001, summary: An argument is.}
  - {name: HSA_STATUS_ERROR_OUT_OF_RESOURCES, value: 0x1008, summary: No memory.}
  - {name: HSA_STATUS_ERROR_INVALID_AGENT, value: 0x1004, summary: No agent.}
  - {name: HSA_STATUS_ERROR_NOT_INITIALIZED, value: 0x100B, summary: Too early.}
---
enum: hsa_colour_t
header: hsa_ext_amd.h
summary: Colours.
enumerators:
  - {name: HSA_COLOUR_RED, value: 0, summary: Red.}
---
handle: hsa_agent_t
summary: An agent.
invalid: {unless: is_agent, status: ERROR_INVALID_AGENT}
---
"""
LISTED = "[SUCCESS, ERROR_NOT_INITIALIZED, ERROR_INVALID_ARGUMENT, ERROR_INVALID_AGENT]"
AGENT = "{name: my_agent, type: hsa_agent_t, role: handle}"
OUT = "{name: value, type: void*, direction: out}"


def text_of(
    *params: str, documented: str = LISTED, clauses: str = "", without: str = "", more: str = ""
) -> str:
    """Return the document of a function."""
    lines = ["function: hsa_do", "summary: Do something.", *more.splitlines()]
    lines += ["params:", *(f"  - {p}" for p in params)] if params else []
    lines += [f"documented: {documented}"]
    lines += [f"without: {without}"] if without else []
    lines += ["clauses:", indent(clauses, "  ")] if clauses else []
    return TYPES + "\n".join(lines) + "\n"


def registry_of(folder: Path, text: str) -> Registry:
    (folder / "core").mkdir(exist_ok=True)
    (folder / "core" / "do.yaml").write_text(text, encoding="utf-8")
    return load(folder)


def function_of(folder: Path, text: str) -> Function:
    return registry_of(folder, text).functions["hsa_do"]


def refused(folder: Path, text: str) -> RegistryError:
    with pytest.raises(RegistryError) as error:
        registry_of(folder, text)
    return error.value


def said(clause: Clause) -> tuple[Strength, list[str], list[str], str]:
    """Return the strength, conditions, statuses and source of a clause."""
    when = [atom.text for atom in clause.when]
    statuses = [s.removeprefix("HSA_STATUS_") for s in clause.status]
    return clause.strength, when, statuses, str(clause.source)


def slugs(function: Function) -> list[str]:
    return [clause.slug for clause in function.clauses]


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
    tmp_path: Path, clause: str, strength: Strength, source: str
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


def test_calls_before_initialisation_are_refused(tmp_path: Path) -> None:
    """With the strength of the list; a function can lack the clause, or say it in its own way."""
    listed = function_of(tmp_path, text_of())
    status = ["ERROR_NOT_INITIALIZED"]
    source = "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_NOT_INITIALIZED"
    expected = (Strength.MUST, ["not initialized()"], status, source)
    assert expected == said(listed.clause("not-initialized"))
    omitted = function_of(tmp_path, text_of(documented="[SUCCESS]"))
    source = "hsa.h, HSA_STATUS_ERROR_NOT_INITIALIZED"
    expected = (Strength.SHOULD, ["not initialized()"], status, source)
    assert expected == said(omitted.clause("not-initialized"))
    assert ["exported", "success"] == slugs(
        function_of(tmp_path, text_of(without="[not-initialized]"))
    )
    own = function_of(tmp_path, text_of(clauses="not-initialized: {strength: may}"))
    assert Strength.MAY is own.clause("not-initialized").strength


@pytest.mark.parametrize(
    ("param", "there"),
    [
        (OUT, True),
        ("{name: value, type: const void*, role: address}", True),
        ("{name: value, type: callback:hsa_call_t, role: callback}", True),
        ("{name: value, type: void*, direction: out, nullable: true}", False),
        ("{name: value, type: void*, role: opaque}", False),
        ("{name: value, type: uint32_t*, role: array, length: count}", False),
        ("{name: value, type: uint64_t}", False),
    ],
)
def test_pointers_that_are_needed_are_not_null(tmp_path: Path, param: str, there: bool) -> None:
    """Outputs and inputs alike, unless they may be NULL or other arguments decide."""
    function = function_of(tmp_path, text_of(param))
    assert there == ("value-null" in slugs(function))
    if there:
        source = "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_ARGUMENT"
        when = ["initialized()", "value == NULL"]
        expected = (Strength.MUST, when, ["ERROR_INVALID_ARGUMENT"], source)
        assert expected == said(function.clause("value-null"))


@pytest.mark.parametrize(
    ("documented", "note"),
    [("[]", "no list of statuses"), ("[SUCCESS]", "the list does not name it")],
)
def test_a_null_that_is_not_listed_should_be_refused(
    tmp_path: Path, documented: str, note: str
) -> None:
    """The source says that the list is silent."""
    clause = function_of(tmp_path, text_of(OUT, documented=documented)).clause("value-null")
    source = f"hsa.h, hsa_do, @param value ({note}; a pointer that is needed)"
    when = ["initialized()", "value == NULL"]
    assert (Strength.SHOULD, when, ["ERROR_INVALID_ARGUMENT"], source) == said(clause)


def test_handles_that_stand_for_nothing_are_refused(tmp_path: Path) -> None:
    """Zero with the strength of the list, and what nothing gave as `should`."""
    function = function_of(tmp_path, text_of(AGENT))
    status, source = (
        ["ERROR_INVALID_AGENT"],
        "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_AGENT",
    )
    when = ["initialized()", "my_agent == 0"]
    assert (Strength.MUST, when, status, source) == said(function.clause("my-agent-zero"))
    when = ["initialized()", "my_agent != 0", "not is_agent(my_agent)"]
    expected = (Strength.SHOULD, when, status, source)
    assert expected == said(function.clause("my-agent-unknown-handle"))


def test_a_status_can_be_another_one(tmp_path: Path) -> None:
    """What is written of a clause goes before what its name says, and the rest stays."""
    clauses = "my-agent-zero: {status: ERROR_INVALID_ARGUMENT}"
    clause = function_of(tmp_path, text_of(AGENT, clauses=clauses)).clause("my-agent-zero")
    source = "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_ARGUMENT"
    when = ["initialized()", "my_agent == 0"]
    assert (Strength.MUST, when, ["ERROR_INVALID_ARGUMENT"], source) == said(clause)


def test_both_names_of_a_value_that_nothing_gave_mean_one_clause(tmp_path: Path) -> None:
    """A function that has one of the two lacks the other."""
    function = function_of(tmp_path, text_of(AGENT, clauses="my-agent-invalid:"))
    assert "my-agent-invalid" in slugs(function)
    assert "my-agent-unknown-handle" not in slugs(function)


def test_values_of_an_enumeration_have_names(tmp_path: Path) -> None:
    """The name of the clause says so; nothing implies it."""
    param = "{name: my_colour, type: hsa_colour_t, role: enum}"
    clause = function_of(tmp_path, text_of(param, clauses="my-colour-unknown:")).clause(
        "my-colour-unknown"
    )
    when = ["initialized()", "my_colour not in hsa_colour_t"]
    source = "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_ARGUMENT"
    assert (Strength.MUST, when, ["ERROR_INVALID_ARGUMENT"], source) == said(clause)
    assert "my-colour-unknown" not in slugs(function_of(tmp_path, text_of(param)))


def test_a_listed_lack_of_memory_is_a_clause(tmp_path: Path) -> None:
    """It takes a fault to show it."""
    listed = LISTED.replace("]", ", ERROR_OUT_OF_RESOURCES]")
    clause = function_of(tmp_path, text_of(documented=listed)).clause("out-of-resources")
    assert ["initialized()", 'exhausted("memory")'] == [atom.text for atom in clause.when]
    assert ("fault_injection",) == clause.needs


def test_what_creates_something_creates_nothing_if_it_fails(tmp_path: Path) -> None:
    """A parameter says that the function creates."""
    param = OUT.replace("}", ", ownership: creates}")
    clause = function_of(tmp_path, text_of(param)).clauses[-1]
    assert "failure-creates-nothing" == clause.slug
    assert (Kind.EFFECT, Strength.SHOULD) == (clause.kind, clause.strength)
    assert "failure-creates-nothing" not in slugs(function_of(tmp_path, text_of(OUT)))


def test_clauses_by_default_have_fixed_places(tmp_path: Path) -> None:
    """Nulls come first, handles just before success; what is named stands where it is named."""
    params = (AGENT, OUT.replace("}", ", ownership: creates}"))
    listed = LISTED.replace("]", ", ERROR_OUT_OF_RESOURCES]")
    own = "own: {when: references() == 7, status: ERROR, source: {text: brief}}"
    effect = "seen: {states: It can be seen., source: {text: brief}}"
    first, last = ["exported", "not-initialized", "value-null"], ["failure-creates-nothing"]
    handles = ["my-agent-zero", "my-agent-unknown-handle"]
    function = function_of(
        tmp_path, text_of(*params, documented=listed, clauses=f"{own}\n{effect}")
    )
    tail = ["out-of-resources", "success", "seen", *last]
    assert [*first, "own", *handles, *tail] == slugs(function)
    named = f"{handles[0]}:\n{handles[1]}:\n{own}\nvalue-null:\n{effect}"
    function = function_of(tmp_path, text_of(*params, documented=listed, clauses=named))
    assert [*first[:2], *handles, "own", "value-null", *tail] == slugs(function)


def conditions_of_success(folder: Path, *params: str, clauses: str = "") -> list[str]:
    success = function_of(folder, text_of(*params, clauses=clauses)).clause("success")
    return [atom.text for atom in success.when]


def test_a_call_succeeds_unless_another_clause_says_otherwise(tmp_path: Path) -> None:
    """Success has the opposite of what each other clause asks for, in their order."""
    count = "{name: count, type: uint32_t}"
    odd = "{when: count > 0 and count % 2 == 1, status: ERROR, source: {param: count}}"
    clauses = f"count-zero:\ncount-odd: {odd}"
    expected = ["initialized()", "value != NULL", "count != 0", "is_agent(my_agent)"]
    assert expected == conditions_of_success(tmp_path, AGENT, OUT, count, clauses="count-zero:")
    # Two conditions are left of the second clause, so it does not say which one is wrong.
    assert expected == conditions_of_success(tmp_path, AGENT, OUT, count, clauses=clauses)


def test_success_can_say_more_or_all_of_it(tmp_path: Path) -> None:
    """The word stands for what the other clauses say; without it they say nothing."""
    more = "success: {when: references() == 1 and otherwise and page_size() > 1}"
    expected = ["initialized()", "references() == 1", "value != NULL", "page_size() > 1"]
    assert expected == conditions_of_success(tmp_path, OUT, clauses=more)
    valid = "success: {when: is_agent(my_agent) and otherwise}"
    expected = ["initialized()", "is_agent(my_agent)", "value != NULL"]
    assert expected == conditions_of_success(tmp_path, AGENT, OUT, clauses=valid)
    alone = "success: {when: references() == 1}"
    expected = ["initialized()", "references() == 1"]
    assert expected == conditions_of_success(tmp_path, OUT, clauses=alone)


def test_a_function_without_a_status_has_no_such_clauses(tmp_path: Path) -> None:
    """A value says nothing of mistakes."""
    text = text_of(AGENT, OUT, more="result: uint32_t", documented="[]")
    assert ["exported"] == slugs(function_of(tmp_path, text))


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
        ({"clauses": "a: {states: It is so.}"}, "a:", "clauses.a: 'source' is a required"),
        ({"clauses": "a: {strength: undefined}"}, "a:", "clauses.a: 'states' is a required"),
        ({"clauses": "a: {anytime: true, status: ERROR}"}, "a:", "'when' is a dependency"),
        ({"clauses": "a: {status: EROR, when: 1 == 1}"}, "status: EROR", "HSA_STATUS_EROR is not"),
    ],
)
def test_refuses_what_no_rule_completes(
    tmp_path: Path, more: dict[str, Any], at: str, rule: str
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
