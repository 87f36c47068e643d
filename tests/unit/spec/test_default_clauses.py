"""Clauses that follow from parameters and lists of statuses, and what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Kind, Strength
from hsa_spec.model import CONVENTIONS
from tests.unit.spec.default_texts import AGENT, LISTED, OUT, function_of, said, slugs, text_of

pytestmark = pytest.mark.usefixtures("cache")


def test_calls_before_initialisation_are_contested(tmp_path: Path) -> None:
    """The text of hsa_init calls them undefined, whether the function lists the status or not."""
    for documented in (LISTED, "[SUCCESS]"):
        clause = function_of(tmp_path, text_of(documented=documented)).clause("not-initialized")
        listed, undefined = clause.contested
        assert ((clause.status, clause.source), True) == (
            (listed.status, listed.source),
            clause.open,
        )
        assert ("anything, by hsa.h, hsa_init, details", True) == (
            str(undefined),
            undefined.anything,
        )


def test_another_answer_before_initialisation_is_not_contested(tmp_path: Path) -> None:
    """A function whose own text says what such a call answers has one reading."""
    text = text_of(clauses="not-initialized: {status: SUCCESS}")
    clause = function_of(tmp_path, text).clause("not-initialized")
    assert (("HSA_STATUS_SUCCESS",), ()) == (clause.status, clause.contested)


def test_readings_give_status_and_source(tmp_path: Path) -> None:
    """A contested clause has the answers of all readings, and the source of the first."""
    contested = (
        "[{text: brief, status: [SUCCESS, ERROR]}, {enumerator: HSA_COLOUR_RED, status: anything}]"
    )
    text = text_of(clauses=f"odd: {{when: not initialized(), contested: {contested}}}")
    clause = function_of(tmp_path, text).clause("odd")
    assert ("HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR") == clause.status
    assert "hsa.h, hsa_do, brief" == str(clause.source)
    said = "HSA_STATUS_SUCCESS or HSA_STATUS_ERROR, by hsa.h, hsa_do, brief"
    assert f"{said}; anything, by hsa_ext_amd.h, HSA_COLOUR_RED" == clause.contest


def test_the_specification_is_a_source(tmp_path: Path) -> None:
    """A section of the HSA Foundation's document stands where a header would."""
    text = text_of(
        clauses='odd: {status: SUCCESS, when: initialized(), source: {specification: "2.1 Start"}}'
    )
    clause = function_of(tmp_path, text).clause("odd")
    assert "HSA Runtime Programmer's Reference Manual 1.1, 2.1 Start" == str(clause.source)


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
    assert ["exported", "success", "driver-refuses", "threads"] == slugs(
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


def test_handles_that_no_call_returned_should_be_refused(tmp_path: Path) -> None:
    """Zero too, as long as no text reserves it: an implementation may number its objects from 0."""
    function = function_of(tmp_path, text_of(AGENT))
    status, source = (
        ["ERROR_INVALID_AGENT"],
        "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_AGENT",
    )
    when = ["initialized()", "my_agent == 0"]
    assert (Strength.SHOULD, when, status, source) == said(function.clause("my-agent-zero"))
    when = ["initialized()", "my_agent != 0", "not is_agent(my_agent)"]
    expected = (Strength.SHOULD, when, status, source)
    assert expected == said(function.clause("my-agent-unknown-handle"))


@pytest.mark.parametrize(
    ("reserved", "header", "strength"),
    [
        ("hsa.h", "hsa.h", Strength.MUST),
        ("hsa.h", "hsa_ext_amd.h", Strength.MUST),
        ("hsa_ext_amd.h", "hsa_ext_amd.h", Strength.MUST),
        ("hsa_ext_amd.h", "hsa.h", Strength.SHOULD),
        ("hsa_ext_amd.h", "hsa_ext_image.h", Strength.SHOULD),
    ],
)
def test_a_reserved_zero_has_to_be_refused(
    tmp_path: Path, reserved: str, header: str, strength: Strength
) -> None:
    """By all functions if hsa.h reserves it, and else by those of the header that does."""
    text = text_of(AGENT, more=f"header: {header}")
    text = text.replace("INVALID_AGENT}\n---", f"INVALID_AGENT, reserved: {reserved}}}\n---")
    assert strength is function_of(tmp_path, text).clause("my-agent-zero").strength


def test_a_status_can_be_another_one(tmp_path: Path) -> None:
    """What is written of a clause goes before what its name says, and the rest stays."""
    clauses = "my-agent-zero: {status: ERROR_INVALID_ARGUMENT}"
    clause = function_of(tmp_path, text_of(AGENT, clauses=clauses)).clause("my-agent-zero")
    source = "hsa.h, hsa_do, @retval HSA_STATUS_ERROR_INVALID_ARGUMENT"
    when = ["initialized()", "my_agent == 0"]
    assert (Strength.SHOULD, when, ["ERROR_INVALID_ARGUMENT"], source) == said(clause)


@pytest.mark.parametrize(
    ("written", "implied"),
    [
        ("my-agent-invalid:", "my-agent-unknown-handle"),
        ("nothing: {when: value == NULL, status: SUCCESS}", "value-null"),
        ("early: {when: not initialized(), status: ERROR_INVALID_AGENT}", "not-initialized"),
    ],
)
def test_a_clause_with_the_same_conditions_takes_the_place_of_a_default(
    tmp_path: Path, written: str, implied: str
) -> None:
    """It may have another name, and another answer."""
    function = function_of(tmp_path, text_of(AGENT, OUT, clauses=written))
    assert written.partition(":")[0] in slugs(function)
    assert implied not in slugs(function)


def test_an_array_of_handles_is_no_handle(tmp_path: Path) -> None:
    """What its elements have to be takes conditions of their own."""
    array = "{name: agents, type: const hsa_agent_t*, role: array, length: count}"
    assert ["exported", "not-initialized", "success", "driver-refuses", "threads"] == slugs(
        function_of(tmp_path, text_of(array))
    )


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
    clause = function_of(tmp_path, text_of(param)).clause("failure-creates-nothing")
    assert (Kind.EFFECT, Strength.SHOULD) == (clause.kind, clause.strength)
    assert "failure-creates-nothing" not in slugs(function_of(tmp_path, text_of(OUT)))


def test_a_driver_may_refuse_anything_to_what_answers_a_status(tmp_path: Path) -> None:
    """It takes a driver that can be made to refuse, and the suite's own rule says what is right."""
    clause = function_of(tmp_path, text_of()).clause("driver-refuses")
    assert (Kind.EFFECT, Strength.SHOULD) == (clause.kind, clause.strength)
    assert ("fault_injection",) == clause.needs
    assert CONVENTIONS["refusal"] == clause.source.section


def test_threads_may_call_what_answers_a_status(tmp_path: Path) -> None:
    """The specification says so of its functions, and nobody else of those of an extension."""
    clause = function_of(tmp_path, text_of()).clause("threads")
    assert (Kind.EFFECT, Strength.SHOULD) == (clause.kind, clause.strength)
    assert str(clause.source).startswith("HSA Runtime Programmer's Reference Manual 1.1, 2 HSA")
    assert "threads" not in slugs(function_of(tmp_path, text_of(without="[threads]")))


def test_clauses_by_default_have_fixed_places(tmp_path: Path) -> None:
    """Nulls come first, handles just before success; what is named stands where it is named."""
    params = (AGENT, OUT.replace("}", ", ownership: creates}"))
    listed = LISTED.replace("]", ", ERROR_OUT_OF_RESOURCES]")
    own = "own: {when: references() == 7, status: ERROR, source: {text: brief}}"
    effect = "seen: {states: It can be seen., source: {text: brief}}"
    first = ["exported", "not-initialized", "value-null"]
    last = ["failure-creates-nothing", "driver-refuses", "threads"]
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
