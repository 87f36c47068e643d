"""The list of clause ids only ever grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError, ids, load
from tests.unit.spec.registry_texts import FUNCTION, write

pytestmark = pytest.mark.usefixtures("cache")

LIST = "hsa_do/exported\nhsa_do/count-zero\nhsa_do/success\nhsa_do/threads\n"


def listed(root: Path, text: str | None = None, *, function: str = FUNCTION) -> Registry:
    registry = load(write(root, function=function))
    if text is not None:
        (root / "ids.txt").write_text(text, encoding="utf-8")
    return registry


def test_list_of_the_package_is_up_to_date(registry: Registry) -> None:
    """Every clause is listed, none is missing, and none was revived."""
    assert ids.Difference([], [], []) == ids.compare(registry)


def test_list_of_the_package_is_in_the_order_of_the_registry(registry: Registry) -> None:
    """Ids that are in force come in the order in which the files are read."""
    in_force = [k.id for k in ids.read(ids.path_of(registry)) if k.retired is None]
    assert list(registry.clauses) == in_force


def test_first_update_lists_everything(tmp_path: Path) -> None:
    """Without a list, all ids are new."""
    registry = listed(tmp_path)
    assert list(registry.clauses) == list(ids.update(registry))
    assert LIST == (tmp_path / "ids.txt").read_text(encoding="utf-8")


def test_second_update_changes_nothing(tmp_path: Path) -> None:
    """A list that is up to date is left alone."""
    registry = listed(tmp_path, LIST)
    assert [] == list(ids.update(registry))
    assert LIST == (tmp_path / "ids.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        ("hsa_do/exported\nhsa_do/success\nhsa_do/threads\n", ["hsa_do/count-zero"], LIST),
        ("hsa_do/count-zero\nhsa_do/success\nhsa_do/threads\n", ["hsa_do/exported"], LIST),
        ("hsa_do/exported\nhsa_do/threads\n", ["hsa_do/count-zero", "hsa_do/success"], LIST),
        (
            "hsa_do/exported\nhsa_do/gone # retired: it was wrong\nhsa_do/success\n",
            ["hsa_do/count-zero", "hsa_do/threads"],
            "hsa_do/exported\nhsa_do/count-zero\nhsa_do/gone # retired: it was wrong\n"
            "hsa_do/success\nhsa_do/threads\n",
        ),
        (
            "hsa_do/lost\nhsa_do/exported\nhsa_do/count-zero\n",
            ["hsa_do/success", "hsa_do/threads"],
            f"hsa_do/lost\n{LIST}",
        ),
    ],
)
def test_update_adds_and_never_removes(
    tmp_path: Path, before: str, added: list[str], after: str
) -> None:
    """New ids go behind their predecessors; retired and missing ones stay."""
    registry = listed(tmp_path, before)
    assert added == list(ids.update(registry))
    assert after == (tmp_path / "ids.txt").read_text(encoding="utf-8")


def test_compare_tells_new_missing_and_revived(tmp_path: Path) -> None:
    """The three ways to differ are told apart."""
    text = "hsa_do/exported\nhsa_do/gone\nhsa_do/success # retired: no\nhsa_do/old # retired: yes\n"
    difference = ids.compare(listed(tmp_path, text))
    assert ["hsa_do/count-zero", "hsa_do/threads"] == list(difference.new)
    assert [ids.KnownId("hsa_do/gone", 2, None)] == list(difference.missing)
    assert [ids.KnownId("hsa_do/success", 3, "no")] == list(difference.revived)


@pytest.mark.parametrize(
    ("text", "line", "rule"),
    [
        ("hsa_do/a\n\n", 2, "expected 'function/slug' or 'function/slug # retired: why', not ''"),
        ("hsa_do\n", 1, "not 'hsa_do'"),
        ("hsa_do/a # retired:\n", 1, "not 'hsa_do/a # retired:'"),
        ("hsa_do/a # gone\n", 1, "not 'hsa_do/a # gone'"),
        ("hsa_do/a\nhsa_do/a\n", 2, "hsa_do/a is listed twice"),
        ("hsa_do/a # retired: why\nhsa_do/a\n", 2, "hsa_do/a is listed twice"),
    ],
)
def test_refuses_a_malformed_list(tmp_path: Path, text: str, line: int, rule: str) -> None:
    """A line that is none of the two forms is refused with its number."""
    registry = listed(tmp_path, text)
    with pytest.raises(RegistryError) as refused:
        ids.update(registry)
    assert (tmp_path / "ids.txt", line) == (refused.value.path, refused.value.line)
    assert rule in refused.value.rule
