"""The language of `--select`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from hsa_conformance.selection.names import SelectionError, select
from hsa_conformance.topics import TOPICS
from hsa_reports import EventWriter, Result, Verdict
from hsa_spec import Registry, Strength
from tests.unit.reports.report_samples import STARTED

MAP = "hsa_amd_vmem_map"


def ids(registry: Registry, query: str) -> set[str]:
    """Return the ids of the clauses that a query matches."""
    return {clause.id for clause in select(registry, TOPICS, [query])}


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("topic:amd/vmem", "vmem"),
        ("topic:vmem", "vmem"),
        ("function:hsa_init", "hsa_init"),
        (f"clause:{MAP}/success", f"{MAP}/success"),
        ("hsa_init or hsa_shut_down", "function:hsa_init or function:hsa_shut_down"),
        ("hsa_init and hsa_init/success", "hsa_init/success"),
        ("not not hsa_init", "hsa_init"),
        ("(hsa_init or vmem) and hsa_init", "hsa_init"),
        ("hsa_init or vmem and hsa_init", "hsa_init"),
        ('"hsa_init" and clause:"hsa_init/success"', "hsa_init/success"),
    ],
)
def test_queries_that_say_the_same(registry: Registry, query: str, same: str) -> None:
    """`and` binds more closely than `or`, and `not` more closely than both."""
    assert ids(registry, query) == ids(registry, same)


@pytest.mark.parametrize("strength", list(Strength))
def test_a_strength_selects_its_clauses(registry: Registry, strength: Strength) -> None:
    expected = {c.id for c in registry.clauses.values() if c.strength is strength}
    assert expected == ids(registry, f"strength:{strength}")


def test_conditions_cut_down(registry: Registry) -> None:
    found = ids(registry, "topic:amd/vmem and strength:must and not function:hsa_amd_vmem_map")
    assert found == {
        c.id
        for c in select(registry, TOPICS, ["vmem"])
        if c.strength is Strength.MUST and c.function != MAP
    }


def test_a_pattern_stands_for_all_that_it_matches(registry: Registry) -> None:
    found = ids(registry, "clause:hsa_amd_vmem_*/success")
    assert found == {c for c in registry.clauses if fnmatchcase(c, "hsa_amd_vmem_*/success")}


def test_queries_add_up(registry: Registry) -> None:
    both = {c.id for c in select(registry, TOPICS, ["hsa_init", "hsa_shut_down"])}
    assert ids(registry, "hsa_init or hsa_shut_down") == both


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """Return an earlier run, in a folder with a space in its name."""
    folder = tmp_path / "a run"
    folder.mkdir()
    results = (
        Result(f"{MAP}/gone-since", "satisfied", Verdict.FAIL, cause="gone"),
        Result(f"{MAP}/success", "satisfied", Verdict.PASS),
        Result(f"{MAP}/size-zero", "satisfied", Verdict.FAIL, cause="sizes"),
        Result(f"{MAP}/size-larger", "satisfied", Verdict.XFAIL, known=Verdict.CRASH, cause="x"),
        Result(f"{MAP}/offset", "satisfied", Verdict.WARN),
    )
    clauses = tuple(r.clause for r in results)
    with EventWriter(folder / "events.jsonl") as writer:
        for event in (type(STARTED)(**{**vars(STARTED), "clauses": clauses}), *results):
            writer.write(event)
    return folder


@pytest.mark.parametrize(
    ("asked", "slugs"),
    [
        ("verdict:FAIL@", {"size-zero"}),
        ("verdict:CRASH@", {"size-larger"}),
        ("verdict:XFAIL@", {"size-larger"}),
        ("verdict:?FAIL@", {"size-larger"}),
        ("cause:sizes@", {"size-zero"}),
        ("cause:*@", {"size-zero", "size-larger", "offset"}),
        (f"cause:{MAP}-offset-*@", {"offset"}),
    ],
)
def test_what_an_earlier_run_found_selects(
    registry: Registry, earlier: Path, asked: str, slugs: set[str]
) -> None:
    """An expected failure has two verdicts; clauses that there are no more are left out."""
    assert {f"{MAP}/{slug}" for slug in slugs} == ids(registry, f'{asked}"{earlier}" and {MAP}')


def test_a_cause_of_the_baselines_selects_its_clauses(registry: Registry) -> None:
    assert ids(registry, "cause:agent-names")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("vmem and", "'vmem and', at character 9: the end stands where a name, KEY:VALUE"),
        ("(vmem", 'at character 6: the end stands where "and", "or" or ")" may'),
        ("vmem)", 'at character 5: \')\' stands where "and", "or" or the end may'),
        ("vmem hsa_init", "at character 6: 'hsa_init' stands where"),
        ("not", "the end stands where a name"),
        ("and", "'and' stands where a name"),
        ("vmem and strenght:must", "at character 10: 'strenght' is no key; there are topic, func"),
        ("strength:foo", "'foo' is no strength; there are may, must, observed, should, undefined"),
        ("topic:amd/vmen", "'amd/vmen' is no topic or group; did you mean amd/vmem"),
        ("function:hsa_inti", "'hsa_inti' is no function or rule; did you mean hsa_init"),
        ("clause:hsa_init/x*x", "is no clause"),
        ("verdict:FAIL", "say in which run: verdict:FAIL@RUN"),
        ("verdict:FAIL@nowhere", "nowhere: cannot read the event file"),
        ("cause:nope", "'nope' is no cause"),
        ("function:", "function: needs a value behind the colon"),
        ('clause:"a b', "at character 8: the quotation does not end"),
        ("vmem and not vmem", "'vmem and not vmem' matches no clause"),
        ("   ", "the end stands where a name"),
    ],
)
def test_what_cannot_be_understood_is_told_with_its_place(
    registry: Registry, query: str, message: str
) -> None:
    with pytest.raises(SelectionError) as caught:
        select(registry, TOPICS, [query])
    assert message in str(caught.value)
