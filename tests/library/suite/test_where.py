"""From a name to its code: everything that is judged leads to what judges it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import hsa_conformance
from hsa_conformance import source_tree, subjects
from hsa_conformance.engine.topic import Topics
from hsa_conformance.topics import TOPICS
from hsa_conformance.where import Place, Unknown, where
from hsa_conformance.where.judging import Judging
from hsa_conformance.where.rooms import room
from hsa_conformance.where.terms import word
from hsa_reports import Verdict
from hsa_spec import Registry
from hsa_spec.conditions.vocabulary import TERMS
from tests.wrong.inside import results

PACKAGE = Path(hsa_conformance.__file__).parent


@pytest.fixture(autouse=True)
def in_the_source_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an installed package, too, find what only the source tree has."""
    monkeypatch.setattr(source_tree, "_ROOT", Path(__file__).parents[3])


def text_at(place: Place) -> str:
    """Return the line that a place is at."""
    return place.path.read_text(encoding="utf-8").splitlines()[place.line - 1]


def shown(registry: Registry, name: str, topics: Topics = TOPICS) -> dict[str, str]:
    """Return the text of the line of each place of a name, by what is said to stand there."""
    return {place.what: text_at(place).strip() for place in where(registry, topics, name)}


def test_every_clause_that_is_tested_leads_to_code(registry: Registry) -> None:
    """Whatever a run judges, some function of the suite does, and it can be named."""
    judging = Judging(registry, TOPICS)
    tested = [c for c in registry.clauses.values() if not judging.exclusion(c)]
    assert len(tested) > 2000
    assert [] == [c.id for c in tested if not list(judging.places(c))]


@pytest.mark.parametrize(
    "clause", ["hsa_init/exported", "hsa_init/counted", "hsa_amd_vmem_map/success"]
)
def test_a_result_names_the_code_that_its_clause_leads_to(registry: Registry, clause: str) -> None:
    """What a run writes beside a verdict is what `spec where` finds."""
    found = results(subjects.reference(None, registry), registry, clause)
    places = Judging(registry, TOPICS).places(registry.clauses[clause])
    known = [f"{place.path.relative_to(PACKAGE)}:{place.line}" for place in places]
    assert known == [(result.source or "").partition(" ")[0] for result in found]


def test_a_search_for_a_clause_finds_its_property() -> None:
    """The id of a clause stands in the source, or its slug where a property is about several."""
    text = {path: path.read_text("utf-8") for path in (PACKAGE / "topics").rglob("*.py")}
    literal = {c for c in TOPICS.properties if any(f'"{c}"' in t for t in text.values())}
    slugs = {
        (path, node.args[1].value)
        for path, source in text.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith(".each")
        and len(node.args) == 2
        and isinstance(node.args[1], ast.Constant)
    }
    hidden = [
        clause
        for clause, proofs in TOPICS.properties.items()
        if clause not in literal
        for proof in proofs
        if (Path(proof.body.__code__.co_filename), clause.partition("/")[2]) not in slugs
    ]
    assert [] == hidden
    assert len(literal) / len(TOPICS.properties) > 0.6


def test_every_term_leads_to_its_word() -> None:
    """The line makes a term of that name, or terms of the kind of objects that it is about."""
    for name in TERMS:
        [place] = word(name)
        following = place.path.read_text("utf-8").splitlines()[place.line - 1 :][:2]
        made = rf'\b(thing|place|fact|member|Term)\(\s*"(is_)?{name.removeprefix("is_")}"'
        assert re.search(made, "".join(following)), name


@pytest.mark.parametrize("topic", TOPICS.by_name)
def test_every_topic_leads_to_its_room(topic: str) -> None:
    """The place is where the package says what its topic is."""
    [place] = room(topic)
    assert text_at(place).startswith("TOPIC = Topic(")


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.PASS])
def test_every_verdict_leads_to_a_rule(registry: Registry, verdict: Verdict) -> None:
    """It is declared once, and some function gives it."""
    found = shown(registry, verdict)
    assert f'{verdict} = "{verdict}"' == found[f"{verdict}: {verdict.meaning}"]
    given = [text for what, text in found.items() if what.startswith("given by ")]
    assert given
    assert all(f"Verdict.{verdict}" in text for text in given)


def test_a_function_leads_to_its_parts(registry: Registry) -> None:
    """Document, room, state rule, clean-up, properties, reference and evidence are there."""
    found = shown(registry, "hsa_amd_vmem_unmap")
    assert "function: hsa_amd_vmem_unmap" == found["function hsa_amd_vmem_unmap"]
    assert found["what a success changes in the model: _unmap"].startswith("def _unmap(")
    assert found["clean-up of each mapping"].startswith("CLEAN_UP = (")
    assert (
        '@proves("hsa_amd_vmem_unmap/host-access-gone")'
        == (found["property of host-access-gone: unmapped_memory_cannot_be_read"])
    )
    assert found["in the reference: hsa_amd_vmem_unmap"].startswith("def hsa_amd_vmem_unmap(")
    assert "a mapping is undone" in found["golden case: a mapping is undone"]
    assert any(what.startswith("finding: ") for what in found)
    assert any(what.startswith("baseline: FAIL of hsa_amd_vmem_unmap/size-") for what in found)


def test_a_function_of_a_family_says_so(registry: Registry) -> None:
    """Its document is the family's, which is named as it is written."""
    [what] = [w for w in shown(registry, "hsa_signal_add_relaxed") if w.startswith("function ")]
    assert "function hsa_signal_add_relaxed, of the family hsa_signal_{op}_{order}" == what


def test_a_clause_leads_to_words_generators_and_checks(registry: Registry) -> None:
    """Those of its condition, and the functions that try both sides of it."""
    found = shown(registry, "hsa_amd_vmem_map/size-larger")
    assert "size-larger:" == found["clause size-larger"]
    assert found["makes is_memory_handle true: _memory_handle"].startswith("def _memory_handle(")
    assert found["check: satisfied"].startswith("def satisfied(")
    assert found["check: near_miss"].startswith("def near_miss(")


def test_a_clause_that_nobody_wrote_leads_to_its_rule(registry: Registry) -> None:
    """Where only a default says it, the places are the function's document and the default."""
    found = shown(registry, "hsa_amd_vmem_handle_create/not-initialized")
    document = "function hsa_amd_vmem_handle_create: implies not-initialized"
    assert "function: hsa_amd_vmem_handle_create" == found[document]
    rule = found["what the name not-initialized stands for"]
    assert rule.startswith('"not-initialized":')


def test_a_term_leads_to_what_answers_it(registry: Registry) -> None:
    """In the suite and in the reference, and to the clauses that ask."""
    found = shown(registry, "access_was_set")
    assert found["answered in the suite: _access_was_set"].startswith("def _access_was_set(")
    assert 'facts["access_was_set"]' in found["answered in the reference"]
    assert "never-set:" == found["used by hsa_amd_vmem_get_access/never-set"]


def test_an_enumerator_leads_to_what_names_it(registry: Registry) -> None:
    """Its declaration, and the code of the suite that asks for it."""
    name = "HSA_AMD_QUEUE_INFO_AGENT"
    found = shown(registry, name)
    assert name in found["enumerator of hsa_queue_info_attribute_t"]
    assert any(what.startswith("named in the suite: ") for what in found)


def test_a_long_row_is_shortened(registry: Registry) -> None:
    """The last place that is shown says how many more there are; on request all are."""
    short = where(registry, TOPICS, "hsa_init")
    cases = [place.what for place in short if place.what.startswith("golden case")]
    everything = where(registry, TOPICS, "hsa_init", None)
    all_cases = [place.what for place in everything if place.what.startswith("golden case")]
    assert cases[-1].endswith(f"(and {len(all_cases) - len(cases)} more: --all)")


def test_an_installed_package_leaves_out_what_it_lacks(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the source tree there are no golden cases, and the rest is there."""
    monkeypatch.setattr(source_tree, "_ROOT", tmp_path)
    found = shown(registry, "hsa_amd_vmem_unmap")
    assert not any(what.startswith("golden case") for what in found)
    assert "function hsa_amd_vmem_unmap" in found


def test_an_unknown_name_is_told_near_ones(registry: Registry) -> None:
    """Names of any sort are near."""
    with pytest.raises(Unknown, match="did you mean access_was_set"):
        where(registry, TOPICS, "access_was_sett")
