"""The golden cases hold of the clauses and on the reference, and their runner tells when not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from hsa_adapters.calls import Call, Outcome
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Process
from hsa_spec import Registry
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.calls import operations, signatures
from tests.golden.cases import Case, load_cases
from tests.golden.clauses import asks
from tests.golden.expressions import Value, evaluate
from tests.golden.runner import Runner, table, wrong_by_clauses
from tests.golden.steps import run_steps
from tests.golden.subjects import pools

CASES = load_cases()
OF: dict[str, list[Case]] = defaultdict(list)
for _case in CASES:
    OF[f"{_case.topic}: {_case.function}"].append(_case)


@pytest.fixture(scope="module")
def runner(registry: Registry) -> Iterator[Runner]:
    """Runs cases on the in-process reference."""
    with ExitStack() as stack:
        yield Runner(pools(registry, stack))


@pytest.mark.parametrize("function", OF)
def test_holds(runner: Runner, registry: Registry, function: str) -> None:
    """The clauses and the reference answer every call of a function as the header says."""
    cases = OF[function]
    wrong = [*wrong_by_clauses(cases, registry), *runner.wrong(cases, "reference")]
    if wrong:
        pytest.fail(f"{function}\n{table(wrong)}", pytrace=False)


def test_every_row_that_is_wrong_is_named(runner: Runner, registry: Registry) -> None:
    """Two cases with another status give a row each, by the clauses and by the reference."""
    cases = OF["amd/vmem: hsa_amd_vmem_map"]
    chosen = [case for case in cases if not case.steps and case.reason("reference") is None][:2]
    other = [replace(case, statuses=frozenset({"HSA_STATUS_ERROR_FATAL"})) for case in chosen]
    wrong = [*wrong_by_clauses(other, registry), *runner.wrong(other, "reference")]
    assert [case.name for case in chosen] * 2 == [answer.case.name for answer in wrong]
    assert all(case.name in table(wrong) for case in chosen)


def test_every_function_has_three_cases() -> None:
    """No function of the table goes without at least three cases."""
    counts = Counter(function for case in CASES if case.steps for function in case.called)
    known = (*signatures()["functions"], *operations())
    few = [function for function in known if counts[function] < 3]
    assert not few


def test_every_function_with_conditions_has_three_cases_of_one_call(registry: Registry) -> None:
    """Only functions whose statuses depend on nothing go without."""
    counts = Counter(case.function for case in CASES if not case.steps)
    assert not [f.name for f in registry.functions.values() if asks(f) and counts[f.name] < 3]


def test_cases_are_in_the_files_of_their_functions(registry: Registry) -> None:
    """A case calls the function that it is about, whose topic its file is named after."""
    wrong = [
        str(case)
        for case in CASES
        if case.topic != registry.functions[case.function].topic
        or (case.steps and case.function not in {step.get("call") for step in case.steps})
    ]
    assert [] == wrong


def test_names_are_unique() -> None:
    """A failing case can be found by its name."""
    assert len(CASES) == len({str(case) for case in CASES})


@dataclass
class CannedProcess:
    """A process that answers every call with the same status and these bytes."""

    result: int = 0
    answer: int = 0
    ends: bool = False
    scratch: tuple[int, int] = (0x10000, 0x10000)
    page_size: int = 4096
    calls: list[Call] = field(default_factory=list)

    def call(self, call: Call) -> Outcome:
        self.calls.append(call)
        if self.ends:
            raise Ended("CRASH", call, "SIGSEGV")
        return Outcome(
            self.result, tuple(bytes([self.answer]).ljust(size, b"\0") for _, size in call.reads)
        )

    def close(self) -> None:
        pass


STEP = {
    "call": "hsa_system_get_info",
    "args": {"attribute": 0, "value": {"out": "u16"}},
    "status": "HSA_STATUS_SUCCESS",
}


def run(process: CannedProcess, *steps: dict[str, Any], **changes: Any) -> None:
    parts: dict[str, Any] = {"fresh": True, "steps": steps} | changes
    case = Case("topic", "function", "a case", "hsa.h, somewhere", False, **parts)
    run_steps(lambda: cast(Process, process), case)


def test_wrong_status_names_case_step_got_and_expected() -> None:
    """Who reads the failure can find the case and the call."""
    with pytest.raises(WrongAnswerError) as failure:
        run(CannedProcess(result=0x1001), STEP)
    text = str(failure.value)
    assert "function: a case" in text
    assert "step 1, call hsa_system_get_info" in text
    assert "got:      HSA_STATUS_ERROR_INVALID_ARGUMENT" in text
    assert "expected: HSA_STATUS_SUCCESS" in text


def test_wrong_output_fails() -> None:
    """What a call wrote is compared."""
    with pytest.raises(WrongAnswerError, match="value = 0x2"):
        run(CannedProcess(answer=2), {**STEP, "expect": {"value": 1}})


def test_outputs_count_for_the_first_status_only() -> None:
    """A tolerated error need not have written the outputs."""
    either = ["HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR"]
    run(CannedProcess(result=0x1000), {**STEP, "status": either, "expect": {"value": 1}})


def test_false_check_fails() -> None:
    """A relation between saved values is compared."""
    with pytest.raises(WrongAnswerError, match="expected: true"):
        run(CannedProcess(answer=3), {**STEP, "save": {"value": "got"}}, {"check": "got == 4"})


def test_crash_fails() -> None:
    """A process that ends fails the case at the call it ended in."""
    with pytest.raises(WrongAnswerError, match="CRASH: SIGSEGV"):
        run(CannedProcess(ends=True), STEP)


def test_unmet_need_is_no_pass() -> None:
    """A machine without virtual memory cannot run the case."""
    with pytest.raises(CannotRunError, match="VIRTUAL_MEM_API_SUPPORTED"):
        run(CannedProcess(), STEP, needs=("vmem",))


def test_crash_while_needs_are_checked_fails() -> None:
    """A process that ends before the first step is no reason to skip."""
    with pytest.raises(WrongAnswerError, match=r"(?s)the check of its needs.*CRASH: SIGSEGV"):
        run(CannedProcess(ends=True), STEP, needs=("vmem",))


def test_outputs_start_out_marked() -> None:
    """An output that was not written can be told from one that is zero."""
    process = CannedProcess()
    run(process, STEP)
    expected = [((0x10000, b"\xa5\xa5"),)]
    assert expected == [call.writes for call in process.calls]


@pytest.mark.parametrize(
    "args", [{}, {"attribute": 0}, {"attribute": 0, "value": None, "size": 1}], ids=str
)
def test_wrong_argument_names_are_refused(args: dict[str, Any]) -> None:
    """A misspelt argument is an error of the case."""
    with pytest.raises(ValueError, match="takes attribute, value"):
        run(CannedProcess(), {**STEP, "args": args})


def test_a_library_is_excused_where_hsa_init_leaves_a_call_before_it_undefined(
    registry: Registry,
) -> None:
    """A case that runs on no library calls before hsa_init, of which two texts speak."""
    excused = [case for case in load_cases() if case.reason("library") == "early"]
    assert excused
    for case in excused:
        assert case.fresh or "not initialized()" in case.given, case
        readings = registry.clauses[f"{case.function}/not-initialized"].contested
        others = {r.source.section for r in readings if not r.status}
        assert {"hsa_init, details"} == others, case


CALL = "case: a, source: s, args: {}, given: [], status: HSA_STATUS_SUCCESS"


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("cases: [{case: a, source: s, steps: [{call: hsa_init, status: OK}]}]", "OK is no status"),
        ("cases: [{case: a, source: s, steps: [{jump: 1}]}]", "not a step"),
        ("cases: [{case: a, source: s, steps: [{call: hsa_init, expects: {}}]}]", "not a step"),
        ("cases: [{case: a, source: s, args: {}, steps: []}]", "unknown key args"),
        ("sauce: hsa.h, cases: []", "unknown key sauce"),
        (f"args: {{}}, given: [], cases: [{{{CALL}, saw: 1}}]", "unknown key saw"),
        (f"args: {{}}, given: [], cases: [{{{CALL}, not_on: {{reference: lazy}}}}]", "not_on"),
        (f"args: {{}}, given: [], not_on: {{moon: absent}}, cases: [{{{CALL}}}]", "not_on"),
    ],
)
def test_misspelt_cases_are_refused(tmp_path: Path, group: str, words: str) -> None:
    """A misspelt key, word or status never passes for a case that holds."""
    (tmp_path / "header").mkdir()
    (tmp_path / "header" / "topic.yaml").write_text(
        f"clauses_read: no\ngroups: [{{functions: [hsa_init], {group}}}]\n"
    )
    with pytest.raises(ValueError, match=words):
        load_cases(tmp_path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 * size + 1", 9),
        ("-size", -4),
        ("size // 3 << 4", 16),
        ("1 < size <= 4 and size in row", 1),
        ("distinct(row) or len(row) == 3", 1),
        ("padded(text)", 1),
        ("power_of_two(size)", 1),
        ("(1, 4) == row", 1),
    ],
)
def test_expressions(text: str, value: int) -> None:
    """Expressions are Python's arithmetic and comparisons, and a few functions."""
    names: dict[str, Value] = {"size": 4, "row": (1, 4), "text": (65, 0, 0)}
    assert value == evaluate(text, names.__getitem__)


@pytest.mark.parametrize("text", ["size.real", "open(1)", "'a'", "[1]", "size ** 9", "lambda: 1"])
def test_other_python_is_refused(text: str) -> None:
    """A case cannot run code."""
    with pytest.raises(ValueError, match="golden cases have no"):
        evaluate(text, {"size": 4}.__getitem__)
