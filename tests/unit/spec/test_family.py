"""Functions that differ in spelling alone are written once, and are functions like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError, load
from hsa_spec.model import Versions
from tests.unit.spec.registry_texts import write

pytestmark = pytest.mark.usefixtures("cache")

FAMILY = """\
family:
  - {order: relaxed}
  - {order: release, deprecated: Use hsa_do_relaxed.}
function: hsa_do_{order}
summary: "Do something, {order}; braces {such as these} stay."
params:
  - {name: count, type: uint32_t}
documented: [SUCCESS]
without: [not-initialized]
"""


def test_each_member_is_a_function_with_clauses_of_its_own(tmp_path: Path) -> None:
    """Names in braces are replaced everywhere, ids among them."""
    registry = load(write(tmp_path, function=FAMILY))
    assert ["hsa_do_relaxed", "hsa_do_release"] == list(registry.functions)
    assert {"hsa_do_relaxed/success", "hsa_do_release/success"} <= set(registry.clauses)
    relaxed = registry.functions["hsa_do_relaxed"]
    assert "Do something, relaxed; braces {such as these} stay." == relaxed.summary


def test_a_member_may_be_deprecated(tmp_path: Path) -> None:
    """The reason is the member's, not the family's."""
    functions = load(write(tmp_path, function=FAMILY)).functions
    assert functions["hsa_do_relaxed"].deprecated is None
    assert "Use hsa_do_relaxed." == functions["hsa_do_release"].deprecated


def test_a_member_may_be_newer_than_the_others(tmp_path: Path) -> None:
    family = FAMILY.replace("relaxed}", 'relaxed, since: {hsa: "1.1"}}', 1)
    functions = load(write(tmp_path, function=family)).functions

    assert Versions(hsa="1.1") == functions["hsa_do_relaxed"].versions
    assert Versions() == functions["hsa_do_release"].versions


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            FAMILY[: FAMILY.index("function:")],
            "family: relaxed\n",
            r"do\.yaml:1: family: expected a list of mappings",
        ),
        ("- {order: relaxed}", "- relaxed", r"do\.yaml:2: family: expected a mapping from names"),
        ("{order: relaxed}", "{order: 3}", r"do\.yaml:2: family: expected a mapping from names"),
        ("{order: relaxed}", "{word: x}", "does not match|is described twice|function"),
    ],
)
def test_malformed_families_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The error names the file, the line and the rule."""
    assert 1 == FAMILY.count(old)
    with pytest.raises(RegistryError, match=message):
        load(write(tmp_path, function=FAMILY.replace(old, new)))


def test_atomic_operations_of_the_api(registry: Registry) -> None:
    """Every operation on signals that changes a value comes in seven orders."""
    for operation in ("exchange", "cas", "add", "subtract", "and", "or", "xor"):
        prefix = f"hsa_signal_{operation}_"
        assert 7 == len([name for name in registry.functions if name.startswith(prefix)])
