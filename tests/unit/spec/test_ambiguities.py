"""Clauses that contradict each other, and near misses that no clause is about, are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, load
from hsa_spec.ambiguities import disagreements, uncovered
from tests.unit.spec.registry_texts import write

pytestmark = pytest.mark.usefixtures("cache")

TWO = """\
function: hsa_two
summary: Do two things.
params:
  - {name: thing, type: uint64_t}
  - {name: size, type: size_t}
documented: [SUCCESS, ERROR]
without: [not-initialized]
clauses:
  error:
    when: WRONG
    status: ERROR
  success:
    when: RIGHT
"""


def registry_of(folder: Path, error: str, success: str) -> Registry:
    text = TWO.replace("WRONG", error).replace("RIGHT", success)
    return load(write(folder, function=text))


@pytest.mark.parametrize(
    ("error", "success"),
    [
        ("size == 0", "is_agent(thing)"),
        ("not is_power_of_two(size)", "size > 0"),
        ("size > 100", "size > 10"),
        ('agent(thing).device == "gpu"', "is_agent(thing)"),
        ("thing != 0", "is_agent(thing)"),
    ],
)
def test_a_contradiction_is_found_with_an_example(tmp_path: Path, error: str, success: str) -> None:
    """A call for which both clauses hold is shown."""
    [found] = disagreements(registry_of(tmp_path, error, success))
    assert ("hsa_two/success", "hsa_two/error") == (found.success.id, found.error.id)
    assert "thing = " in found.example


@pytest.mark.parametrize(
    ("error", "success"),
    [
        ("size == 0", "size != 0"),
        ("not is_agent(thing)", "is_agent(thing)"),
        ("thing == 0", "is_agent(thing)"),
        ("size < 10", "size > 10"),
        ("size == 3", "is_power_of_two(size)"),
        ("not is_mapped(thing)", "is_mapping(thing)"),
        ('agent(thing).device == "gpu"', "not is_agent(thing)"),
    ],
)
def test_clauses_that_exclude_each_other_are_left_alone(
    tmp_path: Path, error: str, success: str
) -> None:
    """No call meets both."""
    assert [] == list(disagreements(registry_of(tmp_path, error, success)))


def test_a_near_miss_without_a_clause_is_found(tmp_path: Path) -> None:
    """Where one condition of success does not hold, some clause has to say what comes of it."""
    gaps = [u.atom.text for u in uncovered(registry_of(tmp_path, "size == 0", "size > 10"))]
    assert "size > 10" in gaps
    complete = uncovered(registry_of(tmp_path, "size == 0", "size != 0"))
    assert ["initialized()"] == [u.atom.text for u in complete]


def test_examples_are_the_same_in_every_run(registry: Registry) -> None:
    """The search starts from the function's name, not from chance."""
    assert [str(u) for u in uncovered(registry)] == [str(u) for u in uncovered(registry)]


def test_no_clauses_of_the_registry_disagree(registry: Registry) -> None:
    """No call has to succeed and to fail."""
    assert [] == [str(found) for found in disagreements(registry)]
