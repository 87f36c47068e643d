"""Of the tests that changes reach those are run that are nearest and fit into some seconds."""

from __future__ import annotations

import pytest

from tests.before.choice import UNKNOWN, Part, chosen, part_of, parts, related

TOPICS = {"amd/vmem", "core/signals"}
NEAR, MIDDLE, FAR = Part("near.py"), Part("middle.py"), Part("far.py")
DISTANCES = {"near.py": 1, "middle.py": 2, "far.py": 3}


@pytest.mark.parametrize(
    ("test", "part"),
    [
        ("a.py::test_holds[amd/vmem: a range is reserved]", Part("a.py", topic="amd/vmem")),
        ("a.py::test_holds[hsa_init/success]", Part("a.py", function="test_holds")),
        ("a.py::test_holds", Part("a.py", function="test_holds")),
    ],
)
def test_a_part_is_a_topic_or_a_function_of_a_file(test: str, part: Part) -> None:
    """The topic is the first parameter, if that is one of the registry's."""
    assert part == part_of(test, TOPICS)


def test_the_seconds_of_a_part_are_those_of_its_tests() -> None:
    """Files that are not asked for count for nothing."""
    text = "def test_x(topic: str) -> None: ...\n\ndef test_y(topic: str, n: int) -> None: ...\n"
    seconds = {"a.py::test_x[amd/vmem]": 1.0, "a.py::test_y[amd/vmem-1]": 2.0, "b.py::test_x": 4.0}
    assert {Part("a.py", "amd/vmem"): 3.0} == parts(seconds, {"a.py": text}, TOPICS)


def test_tests_that_are_no_more_count_for_nothing() -> None:
    """What an earlier run has of a function that was deleted or has another name is left out."""
    seconds = {"a.py::test_old": 9.0, "a.py::test_new": 1.0}
    text = "def test_new() -> None: ...\n"
    assert {Part("a.py", function="test_new"): 1.0} == parts(seconds, {"a.py": text}, TOPICS)


def test_tests_that_were_never_run_are_counted() -> None:
    """Each takes as long as tests do on the mean."""
    text = (
        "def test_one() -> None: ...\n\ndef test_two() -> None: ...\n\ndef other() -> None: ...\n"
    )
    assert {
        Part("new.py", function="test_one"): UNKNOWN,
        Part("new.py", function="test_two"): UNKNOWN,
    } == parts({}, {"new.py": text}, TOPICS)


@pytest.mark.parametrize(
    ("part", "changed", "expected"),
    [
        (Part("t/test_golden.py", "amd/vmem"), "spec/registry/amd/vmem.yaml", True),
        (Part("t/test_golden.py", "amd/vmem"), "topics/amd/vmem/state.py", True),
        (Part("t/test_golden.py", "core/signals"), "topics/amd/vmem/state.py", False),
        (Part("t/test_reference_vmem.py"), "topics/amd/vmem/state.py", True),
        (Part("t/test_sweep.py"), "engine/running/sweep.py", True),
        (Part("t/test_sweep.py"), "engine/judging/judge.py", False),
    ],
)
def test_a_part_is_related_by_topic_or_name(part: Part, changed: str, expected: bool) -> None:
    """A topic has to be the changed file's, a name may be its folder's."""
    assert expected == related(part, [changed])


def test_the_nearest_are_taken_while_there_is_time() -> None:
    """Of three parts of which two fit, the farthest is left out."""
    seconds = {FAR: 4.0, MIDDLE: 4.0, NEAR: 4.0}
    assert [NEAR, MIDDLE] == chosen(seconds, DISTANCES, [], 10)


def test_what_does_not_fit_is_passed_over() -> None:
    """A part that takes too long does not keep quicker ones out."""
    seconds = {NEAR: 4.0, MIDDLE: 40.0, FAR: 4.0}
    assert [NEAR, FAR] == chosen(seconds, DISTANCES, [], 10)


def test_a_related_part_comes_first() -> None:
    """A far one that has the changed file's name is taken before a near one."""
    seconds = {NEAR: 4.0, FAR: 4.0}
    assert [FAR] == chosen(seconds, DISTANCES, ["engine/far.py"], 5)


def test_of_equally_near_ones_the_quickest_come_first() -> None:
    """So that as many as possible are run."""
    quick = Part("quick.py")
    assert [quick] == chosen({NEAR: 5.0, quick: 1.0}, {**DISTANCES, "quick.py": 1}, [], 5)
