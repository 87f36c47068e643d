"""Conditions hold exactly when they should, whatever the world."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsa_spec import Registry, Strength
from hsa_spec.conditions import compile_atom, compile_value, parse
from hsa_spec.conditions.syntax import Compare
from hsa_spec.evaluation import compile_clause, first_error, holding, is_enforced
from tests.unit.spec.condition_texts import PARAMS, VOCABULARY, atoms
from tests.unit.spec.naive_conditions import holds as naively_holds
from tests.unit.spec.toy_world import SMALL, Agent, Allocation, Pool, Reservation, ToyWorld, worlds

ARGUMENTS = st.tuples(*(st.integers(-3, 12) for _ in PARAMS))
thorough = settings(max_examples=200, deadline=None)


def evaluate(text: str, world: ToyWorld, *args: int) -> bool:
    given = (*args, 0, 0, 0)[: len(PARAMS)]
    return compile_atom(parse(text, VOCABULARY), PARAMS)(world, given)


@thorough
@given(text=atoms(), world=worlds(), args=ARGUMENTS)
def test_agrees_with_a_naive_evaluator(
    text: str, world: ToyWorld, args: tuple[int, int, int]
) -> None:
    """Two evaluators written apart give the same answer, and neither raises."""
    by_name: dict[str, int] = dict(zip(PARAMS, args, strict=True))
    expected = naively_holds(text, world, by_name, VOCABULARY.constants, VOCABULARY.enums)
    assert expected is evaluate(text, world, *args)


@thorough
@given(text=atoms(depth=2), world=worlds(), args=ARGUMENTS)
def test_double_negation_changes_nothing(
    text: str, world: ToyWorld, args: tuple[int, int, int]
) -> None:
    """`not not x` holds exactly when x does, also where a look-up finds nothing."""
    assert evaluate(text, world, *args) is evaluate(f"not not {text}", world, *args)


@thorough
@given(text=atoms(depth=2), world=worlds(), args=ARGUMENTS)
def test_never_holds_together_with_its_opposite(
    text: str, world: ToyWorld, args: tuple[int, int, int]
) -> None:
    """A statement and its negation may both fail to hold, and never both hold."""
    assert not (evaluate(text, world, *args) and evaluate(f"not {text}", world, *args))


def test_a_number_that_is_not_settled_is_neither_in_an_enumeration_nor_out_of_it() -> None:
    """The others of the enumeration are as they were."""
    [(enum, values), *_] = VOCABULARY.enums.items()
    settled, unsettled = sorted(values)[:2]
    found = {}
    for op in ("in", "not in"):
        atom = parse(f"a {op} {enum}", VOCABULARY)
        holds = compile_atom(atom, PARAMS, {enum: frozenset({unsettled})})
        found[op] = [holds(ToyWorld(), (n, 0, 0)) for n in (settled, unsettled, max(values) + 1)]
    assert {"in": [True, False, False], "not in": [False, False, True]} == found


@pytest.mark.parametrize(
    "text",
    [
        "reservation(a).size == 0",
        "reservation(a).size != 0",
        "not reservation(a).size == 0",
        "pool(a).allocatable",
        "not pool(a).allocatable",
        "not not pool(a).allocatable",
        "pool(a).granule in few_t",
        "pool(a).granule not in few_t",
        "not pool(a).granule not in few_t",
        "is_agent(pool(a).agent)",
        "not is_agent(pool(a).agent)",
        "is_power_of_two(pool(a).granule)",
        "is_reserved(pool(a).agent, a)",
        'agent(a).device == "gpu"',
        'agent(a).device != "gpu"',
        "pool(pool(a).agent).granule > 0",
        "pointer_info_size(a) == 0",
        "a % pool(a).granule == 0",
    ],
)
def test_nothing_holds_of_what_is_not_there(text: str) -> None:
    """A statement about something that is absent does not hold, negated or not."""
    assert not evaluate(text, ToyWorld(), 0)


def test_remainder_by_zero_does_not_hold() -> None:
    """Dividing by a number that turns out to be zero makes the statement not hold."""
    world = ToyWorld(pools=[Pool(1, 1, "cpu", True, 0, 64)])
    assert not evaluate("a % pool(b).granule == 0", world, 8, 1)
    assert not evaluate("a % pool(b).granule != 0", world, 8, 1)


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("a == NULL", (0,), True),
        ("a == NULL", (7,), False),
        ("a != TEN", (10,), False),
        ("a >= 5", (5,), True),
        ("5 > a", (5,), False),
        ("a & 3 == 1", (5,), True),
        ("a - b < 0", (1, 2), True),
        ("a in few_t", (2,), True),
        ("a not in few_t", (2,), False),
        ("b == -1", (0, -1), True),
        ("is_agent(b)", (0, 5), True),
        ("not is_agent(b)", (0, 6), True),
        ('agent(b).device == "gpu"', (0, 5), True),
        ("reservation(a).size == b", (16, 8), True),
        ("allocation(4).pool + 1 == a", (3,), True),
    ],
)
def test_examples(text: str, args: tuple[int, ...], expected: bool) -> None:
    """Plain statements hold as they read."""
    world = ToyWorld(
        agents=[Agent(5, "gpu")],
        reservations=[Reservation(16, 8, 0)],
        allocations=[Allocation(4, 4, 2)],
    )
    assert expected is evaluate(text, world, *args)


@given(world=worlds(), args=st.tuples(SMALL, SMALL, SMALL))
def test_value_of_a_node_is_what_a_comparison_sees(
    world: ToyWorld, args: tuple[int, int, int]
) -> None:
    """The value inside a condition can be computed by itself, None where there is none."""
    node = parse("reservation(a).size == b", VOCABULARY).node
    assert isinstance(node, Compare)
    found = world.find("reservation", args[0])
    assert (found.size if found else None) == compile_value(node.left, PARAMS)(world, args)


@settings(max_examples=30, deadline=None)
@given(data=st.data(), world=worlds())
def test_every_clause_of_the_registry_can_be_evaluated(
    registry: Registry, data: st.DataObject, world: ToyWorld
) -> None:
    """No clause raises, whatever the arguments and the world, and few lack conditions."""
    for function in registry.functions.values():
        args = data.draw(st.tuples(*(SMALL for _ in function.params)))
        pairs = [(c, compile_clause(c, function)) for c in function.clauses]
        assert [c for c, holds in pairs if holds(world, args)] == holding(pairs, world, args)


def test_clause_without_conditions_never_holds(registry: Registry) -> None:
    """What is undefined without a condition is a statement for people."""
    function = registry.functions["hsa_shut_down"]
    holds = compile_clause(function.clause("old-handles"), function)
    assert not holds(ToyWorld(), ())
    assert not holds(ToyWorld(references=1), ())


def test_first_error_follows_the_order_of_the_registry(registry: Registry) -> None:
    """The argument check answers the status of the first enforced clause that holds."""
    check = first_error(registry.functions["hsa_agent_get_info"], registry)
    running = ToyWorld(references=1, agents=[Agent(5, "cpu")])
    assert registry.status("HSA_STATUS_ERROR_NOT_INITIALIZED") == check(ToyWorld(), (0, 0, 0))
    assert registry.status("HSA_STATUS_ERROR_INVALID_ARGUMENT") == check(running, (0, 0, 0))
    assert registry.status("HSA_STATUS_ERROR_INVALID_AGENT") == check(running, (9, 0, 8))
    assert check(running, (5, 0, 8)) is None


def test_only_binding_errors_are_enforced(registry: Registry) -> None:
    """What may be answered, or is undefined, or includes success, is no argument check."""
    for clause in filter(is_enforced, registry.clauses.values()):
        assert clause.strength in (Strength.MUST, Strength.SHOULD)
        assert "HSA_STATUS_SUCCESS" not in clause.status
    assert not is_enforced(registry.clauses["hsa_amd_memory_pool_free/not-a-block"])
    assert not is_enforced(registry.clauses["hsa_amd_vmem_map/flags"])
    assert not is_enforced(registry.clauses["hsa_amd_memory_pool_allocate/flags-named"])
