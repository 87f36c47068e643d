"""Applicability, selection and coverage: which clauses a run judges, and why not the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from hsa_adapters import Subject
from hsa_conformance.coverage.checks import coverage
from hsa_conformance.engine.running.choice.applicability import Applicability, GeneralExclusions
from hsa_conformance.selection.names import SelectionError, read_wish, select
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry, Strength
from hsa_spec.releases import Release

RESERVE = "hsa_amd_vmem_address_reserve"
ALIGN = f"{RESERVE}_align"


@pytest.fixture
def verdict(registry: Registry) -> Callable[..., tuple[str, str] | None]:
    """Return a function that says why a clause is not judged, if it is not."""

    def verdict(
        clause: str, release: str | None = "6.3", *, missing: str = "", **changes: object
    ) -> tuple[str, str] | None:
        exports = frozenset(registry.functions) - {missing}
        subject = Subject("library", "library", None, None, exports)
        applicability = Applicability(
            GeneralExclusions(registry, TOPICS), subject, Release.parse(release)
        )
        found = applicability.exclusion(replace(registry.clauses[clause], **changes))  # type: ignore[arg-type]
        return (found.verdict, found.reason) if found else None

    return verdict


def test_present_function_is_judged(verdict: Callable[..., object]) -> None:
    """A clause of an exported function in a release that has it is judged."""
    assert verdict(f"{RESERVE}/success") is None
    assert verdict(f"{RESERVE}/exported") is None


def test_missing_function_of_the_release(verdict: Callable[..., object]) -> None:
    """The export clause is judged, and the others are blocked by it."""
    assert verdict(f"{RESERVE}/exported", missing=RESERVE) is None
    assert ("BLOCKED", f"{RESERVE}/exported: the symbol is missing") == verdict(
        f"{RESERVE}/success", missing=RESERVE
    )


@pytest.mark.parametrize("slug", ["exported", "success", "flags"])
@pytest.mark.parametrize("release", ["6.1", None])
def test_missing_function_that_need_not_be_there(
    verdict: Callable[..., tuple[str, str]], slug: str, release: str | None
) -> None:
    """Where the release has no such function, or is unknown, its absence is no fault."""
    found = verdict(f"{ALIGN}/{slug}", release, missing=ALIGN)
    assert "NOT_APPLICABLE" == found[0]
    assert "is not exported" in found[1]


def test_clause_of_another_release(verdict: Callable[..., tuple[str, str]]) -> None:
    """A clause that came later does not concern an earlier release."""
    assert "NOT_APPLICABLE" == verdict(f"{RESERVE}/no-register", "6.1")[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"untestable": "nobody can"},
        {"strength": Strength.UNDEFINED},
        {"needs": ("fault_injection",)},
        {"needs": ("long_run",)},
    ],
)
def test_declared_clause_is_untested(
    verdict: Callable[..., tuple[str, str]], changes: dict[str, object]
) -> None:
    """What is declared not testable is UNTESTED, with its reason."""
    found = verdict(f"{RESERVE}/success", **changes)
    assert "UNTESTED" == found[0]
    assert found[1]


@pytest.mark.parametrize(
    ("wanted", "function"),
    [
        ("hsa_init", "hsa_init"),
        ("hsa_init/success", "hsa_init"),
        ("core/init", None),
        ("init", None),
        ("hsa_amd_vmem_", None),
    ],
)
def test_names_that_select(registry: Registry, wanted: str, function: str | None) -> None:
    """Groups, topics, functions, clauses and beginnings of them select."""
    found = select(registry, TOPICS, [wanted])
    assert found
    if function:
        assert {function} == {c.function for c in found}


@pytest.mark.parametrize("name", [RESERVE, "hsa_amd_vmem_unmap/not-mapped"])
def test_whole_name_selects_only_itself(registry: Registry, name: str) -> None:
    """A whole name that begins another name does not select the other."""
    assert {name} <= {x for c in registry.clauses.values() for x in (c.id, c.function)}
    assert all(name in (c.id, c.function) for c in select(registry, TOPICS, [name]))


def test_a_clause_can_be_wanted_with_values(registry: Registry) -> None:
    """An axis may be named several times, in a query too; other clauses have all their values."""
    wanted = ["hsa_init/success[before=another call]", "hsa_shut_down or hsa_init/success[a=b: c]"]
    found = read_wish(registry, TOPICS, wanted)
    assert {"hsa_init", "hsa_shut_down"} == {c.function for c in found.clauses}
    assert {"hsa_init/success": {("before", "another call"), ("a", "b: c")}} == found.values


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "hsa_init[before=another call]",
            "'hsa_init' is not a clause: only the id of one can have",
        ),
        ("hsa_init/success[before]", "write CLAUSE[AXIS=VALUE]"),
        ("hsa_init/success[before=another", "the bracket does not end"),
        ("hsa_initt/success[before=another call]", "did you mean hsa_init/success"),
    ],
)
def test_a_value_that_cannot_be_read_is_refused(
    registry: Registry, name: str, problem: str
) -> None:
    with pytest.raises(SelectionError, match=re.escape(problem)):
        read_wish(registry, TOPICS, [name])


def test_nothing_wanted_is_everything(registry: Registry) -> None:
    """Without a wish all clauses are selected, in the order of the registry."""
    assert list(registry.clauses.values()) == select(registry, TOPICS, [])


def test_selection_keeps_order_and_counts_once(registry: Registry) -> None:
    """Wishes may overlap and come in any order; a rule goes with the function it is about."""
    found = select(registry, TOPICS, ["hsa_shut_down", "init", "hsa_init/success"])
    functions = ("hsa_init", "hsa_shut_down")
    assert [c for c in registry.clauses.values() if c.function in functions] == found


def test_every_group_selects_its_topic(registry: Registry) -> None:
    """Each short name stands for a topic of the registry."""
    assert set(TOPICS.groups.values()) == set(TOPICS.by_name) & set(registry.topics)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("hsa_initt", "did you mean hsa_init"), ("???", "see `hsa-conformance spec list`")],
)
def test_unknown_name_gets_a_hint(registry: Registry, name: str, hint: str) -> None:
    """What matches nothing is refused with what is near, or where to look."""
    with pytest.raises(SelectionError) as caught:
        select(registry, TOPICS, [name])
    assert repr(name) in str(caught.value)
    assert hint in str(caught.value)


def test_every_clause_is_counted_once(registry: Registry) -> None:
    """Clauses in = clauses tried + clauses declared, and nothing is missing."""
    rows = coverage(list(registry.clauses.values()), registry, TOPICS)
    assert len(registry.clauses) == sum(row.clauses for row in rows)
    for row in rows:
        counts = (row.both_sides, row.one_side, row.observed, row.declared, len(row.missing))
        assert row.clauses == sum(counts), row.function
    assert () == tuple(clause for row in rows for clause in row.missing)


def test_clause_without_a_property_is_missing(registry: Registry) -> None:
    """An effect that no property proves is reported by its id."""
    clause = replace(registry.clauses[f"{RESERVE}/no-overlap"], id=f"{RESERVE}/unheard-of")
    assert not GeneralExclusions(registry, TOPICS).reason(clause)
    assert "nothing in the suite shows it yet" == GeneralExclusions(registry, TOPICS).lack(clause)
    [row] = coverage([clause], registry, TOPICS)
    assert (clause.id,) == row.missing
