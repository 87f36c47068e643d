"""The generators: one pair for each statement of the vocabulary, in step with the evaluators."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import is_state
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.terms import STATE_TERMS
from hsa_conformance.engine.running.failures.simplifying import by_hypothesis
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_spec import Kind, Registry, load
from hsa_spec.conditions import Vocabulary, parse, walk
from hsa_spec.conditions.syntax import Apply
from hsa_spec.conditions.vocabulary import TERMS

#: The words of the topics that the suite has; those of the others wait for its tests.
USED = {
    node.term.name
    for function in load().functions.values()
    if function.topic in TOPICS.by_name
    for clause in function.clauses
    for atom in clause.when
    for node in walk(atom.node)
    if isinstance(node, Apply)
}
STATEMENTS = sorted(name for name in USED if TERMS[name].result == "bool")

#: One failing example is enough, and the reference needs no deadline.
QUICK = settings(
    max_examples=10,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_every_statement_has_generators() -> None:
    """A term that can hold or not has generators for both sides."""
    assert set(STATEMENTS) <= set(TOPICS.repertoire.generators)


def test_every_generator_has_a_term() -> None:
    """No generator is left of a term that does not exist any more."""
    assert set(TOPICS.repertoire.generators) <= set(TERMS)


@pytest.mark.parametrize("name", sorted(STATE_TERMS))
def test_state_of_the_machine_has_no_generator(name: str) -> None:
    """What no argument decides cannot be made by one."""
    with pytest.raises(CannotMake):
        TOPICS.repertoire.generators[name].true(None)
    with pytest.raises(CannotMake):
        TOPICS.repertoire.generators[name].false(None)


FUNCTIONS = (
    "hsa_agent_get_info",
    "hsa_amd_memory_pool_allocate",
    "hsa_amd_agents_allow_access",
    "hsa_amd_pointer_info",
    "hsa_amd_vmem_address_reserve_align",
    "hsa_amd_vmem_address_free",
    "hsa_amd_vmem_handle_create",
    "hsa_amd_vmem_map",
    "hsa_amd_vmem_unmap",
    "hsa_amd_vmem_set_access",
    "hsa_amd_vmem_get_access",
    "hsa_amd_vmem_import_shareable_handle",
)


@pytest.mark.parametrize("name", FUNCTIONS)
@QUICK
@given(data=st.data())
def test_generators_agree_with_evaluators(
    registry: Registry, pool: SessionPool, name: str, data: st.DataObject
) -> None:
    """An atom that was made to hold does, and one that was made not to hold does not."""
    function = registry.functions[name]
    atoms = [
        atom
        for clause in function.clauses
        if clause.kind is Kind.STATUS
        for atom in clause.when
        if not is_state(atom)
    ]
    success = function.success
    assert success is not None
    with pool.session(initialised=True) as session:
        builder = Builder(session, function, by_hypothesis(data.draw))
        atom = data.draw(st.sampled_from(atoms))
        wanted = data.draw(st.booleans())
        try:
            TOPICS.repertoire.satisfy(builder, [a for a in success.when if not is_state(a)])
            if builder.holds(atom) is not wanted:
                TOPICS.repertoire.make(builder, atom, wanted=wanted)
        except (CannotMake, Unavailable):
            reject()
        assert builder.holds(atom) is wanted


@pytest.mark.parametrize("name", FUNCTIONS)
@QUICK
@given(data=st.data())
def test_valid_calls_succeed(
    registry: Registry, pool: SessionPool, name: str, data: st.DataObject
) -> None:
    """What satisfies the success clause of a function succeeds on the reference."""
    function = registry.functions[name]
    success = function.success
    assert success is not None
    with pool.session(initialised=True) as session:
        builder = Builder(session, function, by_hypothesis(data.draw))
        TOPICS.repertoire.satisfy(builder, [a for a in success.when if not is_state(a)])
        assert "HSA_STATUS_SUCCESS" == session.call_with(name, builder.values).name


@pytest.mark.parametrize("seed", range(8))
def test_no_handle_is_taken_for_one_of_nothing_that_is_of_two_kinds(
    registry: Registry, pool: SessionPool, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """A library may count each kind of object from 1."""
    function = registry.functions["hsa_agent_get_info"]
    atom = parse("is_agent(agent)", Vocabulary(set(function.parameter), {}, {}))
    with pool.session(initialised=True) as session:
        builder = Builder(session, function, drawing.drawn_from(seed))
        TOPICS.repertoire.make(builder, atom, wanted=True)
        agent = builder.number("agent")
        counted = {agent: SimpleNamespace(handle=agent)}
        monkeypatch.setitem(session.model.objects, "pool", counted)
        TOPICS.repertoire.make(builder, atom, wanted=False)
        assert agent != builder.number("agent")


@pytest.mark.parametrize("text", ["size % 1 == 0", "size % 1 != 0"])
def test_no_size_is_sought_that_is_no_multiple_of_1(
    registry: Registry, pool: SessionPool, text: str
) -> None:
    """A library may allocate single bytes: that is no mistake of the suite's generators."""
    function = registry.functions["hsa_memory_allocate"]
    atom = parse(text, Vocabulary(set(function.parameter), {}, {}))
    with pool.session(initialised=True) as session:
        builder = Builder(session, function, drawing.simplest)
        builder.values["size"] = 3
        with pytest.raises(CannotMake, match="a multiple of 1"):
            TOPICS.repertoire.make(builder, atom, wanted="!=" in text)
