"""The levels of a new runtime: which there are, and what they hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError, named_sets
from hsa_spec.ladder import read_ladder, up_to


def test_the_levels_in_their_order(registry: Registry) -> None:
    """From a runtime that starts to one that loads code, and then to one that threads may use."""
    one = ["initialise", "agents", "regions", "signals", "queues", "packets", "memory", "code"]
    assert [*one, "threads"] == [level.name for level in read_ladder(registry)]


def test_each_core_function_is_of_one_level(registry: Registry) -> None:
    """Nothing of HSA is left out, and nothing has to be written twice."""
    functions = [f.name for level in read_ladder(registry) for f in level.functions]
    assert sorted(named_sets(registry)["core-1.2"].functions) == sorted(functions)


def test_each_clause_is_of_one_level(registry: Registry) -> None:
    """Clauses that a later level takes are not of the level of their function."""
    levels = read_ladder(registry)
    clauses = [clause for level in levels for clause in level.clauses]
    core = named_sets(registry)["core-1.2"].functions
    assert sorted(c for c, clause in registry.clauses.items() if clause.function in core) == (
        sorted(clauses)
    )
    packets = levels[5]
    assert () == packets.functions
    assert "hsa_queue_create/barrier-and" in packets.clauses
    threads = levels[-1]
    assert "hsa_init/threads" in threads.clauses
    assert {"threads"} == {clause.partition("/")[2] for clause in threads.clauses}


def test_a_level_and_those_before_it(registry: Registry) -> None:
    """A level stands on those before it, and on none behind it."""
    names = [level.name for level in up_to(read_ladder(registry), "regions")]
    assert ["initialise", "agents", "regions"] == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("functions: [hsa_x]", "ladder.yaml:3: hsa_x is not in the registry"),
        ("topics: [core/x]", "ladder.yaml:3: core/x is not in the registry"),
        ("clauses: [hsa_init/x]", "ladder.yaml:3: hsa_init/x is not in the registry"),
        ("each: [fibres]", "ladder.yaml:3: fibres is not in the registry"),
        ("function: [hsa_init]", "unknown key 'function'"),
    ],
)
def test_bad_levels_say_what_is_wrong(
    registry: Registry, tmp_path: Path, text: str, message: str
) -> None:
    """The error names the file, the line and the rule."""
    path = tmp_path / "ladder.yaml"
    path.write_text(f"levels:\n  - level: one\n    {text}\n    summary: the first\n", "utf-8")
    with pytest.raises(RegistryError, match=re.escape(message)):
        read_ladder(registry, path)
