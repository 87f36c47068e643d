"""The golden cases hold on the reference, and their runner tells when one does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from hsa_adapters.calls import Call, Outcome
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Adapter, Process
from hsa_spec import load
from tests.golden_calls import operations, signatures
from tests.golden_expressions import Value, evaluate
from tests.golden_runner import CannotRunError, Case, load_cases, run_case

CASES = load_cases(Path(__file__).parents[1] / "golden")


@pytest.fixture(scope="module")
def adapter() -> Iterator[Adapter]:
    """The in-process reference."""
    from hsa_conformance.subjects import reference

    subject = reference()
    subject.start()
    yield subject
    subject.close()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_holds_on_the_reference(adapter: Adapter, case: Case) -> None:
    """The reference answers every call as the header says, and has what each case needs."""
    run_case(adapter.process, case)


def test_every_function_has_three_cases() -> None:
    """No function of the table goes without at least three cases."""
    counts = Counter(
        function
        for case in CASES
        for function in {step["call"] for step in case.steps if "call" in step}
    )
    known = (*signatures()["functions"], *operations())
    few = [function for function in known if counts[function] < 3]
    assert not few


def test_files_are_named_like_the_topics_of_the_registry() -> None:
    """The cases of a file call functions of the topic that it is named after."""
    functions = load().functions
    wrong = [
        str(case)
        for case in CASES
        if case.topic
        not in {functions[step["call"]].topic for step in case.steps if "call" in step}
    ]
    assert [] == wrong


def test_names_are_unique() -> None:
    """A failing case can be found by its name."""
    assert len(CASES) == len({str(case) for case in CASES})


@dataclass
class Canned:
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


def run(process: Canned, *steps: dict[str, Any], **changes: Any) -> None:
    parts: dict[str, Any] = {"needs": (), "fresh": True, "steps": steps} | changes
    case = Case("topic", "a case", "must", "hsa.h, somewhere", **parts)
    run_case(lambda: cast(Process, process), case)


def test_wrong_status_names_case_step_got_and_expected() -> None:
    """Who reads the failure can find the case and the call."""
    with pytest.raises(AssertionError) as failure:
        run(Canned(result=0x1001), STEP)
    text = str(failure.value)
    assert "topic: a case (must)" in text
    assert "step 1, call hsa_system_get_info" in text
    assert "got:      HSA_STATUS_ERROR_INVALID_ARGUMENT" in text
    assert "expected: HSA_STATUS_SUCCESS" in text


def test_wrong_output_fails() -> None:
    """What a call wrote is compared."""
    with pytest.raises(AssertionError, match="value = 0x2"):
        run(Canned(answer=2), {**STEP, "expect": {"value": 1}})


def test_outputs_count_for_the_first_status_only() -> None:
    """A tolerated error need not have written the outputs."""
    either = ["HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR"]
    run(Canned(result=0x1000), {**STEP, "status": either, "expect": {"value": 1}})


def test_false_check_fails() -> None:
    """A relation between saved values is compared."""
    with pytest.raises(AssertionError, match="expected: true"):
        run(Canned(answer=3), {**STEP, "save": {"value": "got"}}, {"check": "got == 4"})


def test_crash_fails() -> None:
    """A process that ends fails the case at the call it ended in."""
    with pytest.raises(AssertionError, match="CRASH: SIGSEGV"):
        run(Canned(ends=True), STEP)


def test_unmet_need_is_no_pass() -> None:
    """A machine without virtual memory cannot run the case."""
    with pytest.raises(CannotRunError, match="VIRTUAL_MEM_API_SUPPORTED"):
        run(Canned(), STEP, needs=("vmem",))


def test_crash_while_needs_are_checked_fails() -> None:
    """A process that ends before the first step is no reason to skip."""
    with pytest.raises(AssertionError, match=r"CRASH: SIGSEGV .* while its needs are checked"):
        run(Canned(ends=True), STEP, needs=("vmem",))


def test_outputs_start_out_marked() -> None:
    """An output that was not written can be told from one that is zero."""
    process = Canned()
    run(process, STEP)
    expected = [((0x10000, b"\xa5\xa5"),)]
    assert expected == [call.writes for call in process.calls]


@pytest.mark.parametrize(
    "args", [{}, {"attribute": 0}, {"attribute": 0, "value": None, "size": 1}], ids=str
)
def test_wrong_argument_names_are_refused(args: dict[str, Any]) -> None:
    """A misspelt argument is an error of the case."""
    with pytest.raises(ValueError, match="takes attribute, value"):
        run(Canned(), {**STEP, "args": args})


@pytest.mark.parametrize(
    "step",
    [
        "{call: hsa_init, status: HSA_STATUS_OK}",
        "{call: hsa_init, status: HSA_STATUS_SUCCESS, expects: {}}",
        "{jump: 1}",
    ],
)
def test_misspelt_steps_are_refused(tmp_path: Path, step: str) -> None:
    """A misspelt key or status never passes for a case that holds."""
    (tmp_path / "header").mkdir()
    (tmp_path / "header" / "topic.yaml").write_text(
        f"cases:\n  - {{case: a, strength: must, source: s, steps: [{step}]}}\n"
    )
    with pytest.raises(ValueError, match=r"HSA_STATUS_OK|not a step"):
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
