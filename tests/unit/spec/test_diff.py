"""What changes between two releases.

Which functions, status codes and members are expected was read off the headers of the releases.
"""

from __future__ import annotations

import pytest

from hsa_spec import Registry, Versions
from hsa_spec.diff import Change, ChangedThing, ChangeKind, diff, lines, release

RESERVE_ALIGN = "hsa_amd_vmem_address_reserve_align"


def names(registry: Registry, old: str, new: str, what: ChangedThing, how: ChangeKind) -> list[str]:
    """Return the names of what changes in one way between two versions."""
    changes = diff(registry, release(old), release(new))
    return [c.name for c in changes if c.what is what and c.how is how]


@pytest.mark.parametrize("version", ["1.4", "5.2", "6.3", "7.2"])
def test_nothing_changes_within_a_release(registry: Registry, version: str) -> None:
    """A release differs from itself in nothing, not even in what is not recorded."""
    assert () == diff(registry, release(version), release(version))


@pytest.mark.parametrize(("old", "new"), [("5.7", "6.0"), ("1.3", "1.4")])
def test_virtual_memory_appears_as_a_whole(registry: Registry, old: str, new: str) -> None:
    """ROCm 6.0, which has interface 1.4, brings twelve functions, with their clauses."""
    functions = names(registry, old, new, ChangedThing.FUNCTION, ChangeKind.APPEARS)
    assert 12 == len(functions)
    assert all(name.startswith("hsa_amd_vmem_") for name in functions)
    clauses = names(registry, old, new, ChangedThing.CLAUSE, ChangeKind.APPEARS)
    assert "hsa_amd_vmem_map/success" in clauses


def test_function_of_a_later_release(registry: Registry) -> None:
    """ROCm 6.2 brings a function for reservations, and the error for a busy resource."""
    assert RESERVE_ALIGN in names(registry, "6.1", "6.2", ChangedThing.FUNCTION, ChangeKind.APPEARS)
    enumerators = names(registry, "6.1", "6.2", ChangedThing.ENUMERATOR, ChangeKind.APPEARS)
    assert "HSA_STATUS_ERROR_RESOURCE_BUSY" in enumerators


def test_members_of_a_structure_appear(registry: Registry) -> None:
    """The description of a pointer grows by a member in interface 1.13 and by one in 1.18."""
    members = ["hsa_amd_pointer_info_t.registered", "hsa_amd_pointer_info_t.alloc_flags"]
    assert members == names(registry, "1.12", "1.18", ChangedThing.FIELD, ChangeKind.APPEARS)
    assert members[:1] == names(registry, "1.12", "1.13", ChangedThing.FIELD, ChangeKind.APPEARS)


def test_clause_ends_where_its_successor_begins(registry: Registry) -> None:
    """From ROCm 6.3, setting access for an agent leaves the permissions of others alone."""
    changes = diff(registry, release("6.2"), release("6.3"))
    assert {
        Change(
            ChangeKind.APPEARS,
            ChangedThing.CLAUSE,
            "hsa_amd_vmem_set_access/others-kept",
            Versions(rocm="6.3"),
        ),
        Change(
            ChangeKind.ENDS,
            ChangedThing.CLAUSE,
            "hsa_amd_vmem_set_access/others-before",
            Versions(until_rocm="6.3"),
        ),
    } == {change for change in changes if change.name.startswith("hsa_amd_vmem_set_access/")}


def test_the_way_back_undoes_the_way_there(registry: Registry) -> None:
    """What appears in one direction ends in the other."""
    there = diff(registry, release("5.2"), release("6.3"))
    back = diff(registry, release("6.3"), release("5.2"))
    turned = {ChangeKind.APPEARS: ChangeKind.ENDS, ChangeKind.ENDS: ChangeKind.APPEARS}
    assert [(turned[c.how], c.name) for c in there] == [(c.how, c.name) for c in back]


def test_what_is_not_recorded_is_unknown(registry: Registry) -> None:
    """Which interface version ROCm 7.0 declares is not recorded, so its newer parts are unknown."""
    changes = diff(registry, release("6.1"), release("7.0"))
    how = {change.name: change.how for change in changes}
    assert ChangeKind.UNKNOWN is how["hsa_amd_pointer_info_t.registered"]
    assert ChangeKind.APPEARS is how[RESERVE_ALIGN]


def test_clauses_of_a_new_function_are_folded(registry: Registry) -> None:
    """As text, the clauses that come with their function are counted in its line."""
    text = list(lines(diff(registry, release("6.1"), release("6.2"))))
    line = next(line for line in text if RESERVE_ALIGN in line)
    assert [line] == [other for other in text if RESERVE_ALIGN in other]
    clauses = names(registry, "6.1", "6.2", ChangedThing.CLAUSE, ChangeKind.APPEARS)
    count = len([c for c in clauses if c.startswith(f"{RESERVE_ALIGN}/")])
    assert (
        f"appears  function    {RESERVE_ALIGN}: since interface 1.6 (ROCm 6.2), {count} clauses"
        == line
    )


def test_clause_that_is_younger_than_its_function_has_a_line(registry: Registry) -> None:
    """As text, a clause with bounds of its own is shown, also when its function is new as well."""
    text = list(lines(diff(registry, release("1.4"), release("1.10"))))
    assert f"appears  clause      {RESERVE_ALIGN}/no-register: since interface 1.10" in text


def test_lines_of_no_change() -> None:
    """That nothing changes is said."""
    assert ["nothing changes"] == list(lines(()))


def test_lines_explain_what_is_unknown() -> None:
    """The text ends with the numbers, and says what unknown means where it occurs."""
    change = Change(ChangeKind.UNKNOWN, ChangedThing.FIELD, "a.b", Versions(amd_interface="1.13"))
    assert [
        "unknown  field       a.b: since interface 1.13",
        "unknown: 1",
        "unknown: it is not recorded whether one of the two releases has it",
    ] == list(lines([change]))


@pytest.mark.parametrize("text", ["", "x", "6.x", "6.1..6.2", "-1"])
def test_no_version(text: str) -> None:
    """What is no single version is refused."""
    with pytest.raises(ValueError, match="is not a version such as"):
        release(text)


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        (Versions(), ""),
        (Versions(rocm="6.0"), "since ROCm 6.0"),
        (Versions(amd_interface="1.4"), "since interface 1.4"),
        (Versions(amd_interface="1.4", rocm="6.0"), "since interface 1.4 (ROCm 6.0)"),
        (Versions(rocm="5.5", until_rocm="6.3"), "since ROCm 5.5, before ROCm 6.3"),
        (Versions(until_rocm="6.3"), "before ROCm 6.3"),
    ],
)
def test_bounds_in_words(versions: Versions, words: str) -> None:
    """Bounds read as words, and no bounds as nothing."""
    assert words == str(versions)
