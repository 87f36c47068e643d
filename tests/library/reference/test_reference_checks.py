"""The shortened argument checks answer as the clauses do, whatever the arguments."""

from __future__ import annotations

import ctypes
import random
from dataclasses import replace

import pytest

from hsa_reference import Runtime, implemented
from hsa_reference.checks import argument_check, in_force, shorter_clauses
from hsa_reference.memory import PAGE
from hsa_spec import Parameter, Registry, load
from hsa_spec.conditions import Vocabulary, parse
from hsa_spec.evaluation import first_error, is_enforced
from tests.library.reference.reference_client import Client

#: Functions of whose argument checks something is left out.
SHORTENED = [
    name
    for name, described in implemented(load()).functions.items()
    if list(shorter_clauses(described.clauses)) != [c for c in described.clauses if is_enforced(c)]
]


@pytest.mark.parametrize("function", SHORTENED)
def test_leaving_out_what_is_known_changes_no_answer(
    client: Client, registry: Registry, function: str
) -> None:
    mapped, room = client.map(), (ctypes.c_uint64 * 64)(0, client.cpu, 3, client.gpu)
    readable = [ctypes.addressof(room) + 8 * i for i in range(4)]
    numbers = [0, 1, 2, 3, 15, 16, PAGE, 2**31 - 1, 2**60, client.cpu, client.gpu, client.pool]
    numbers += [mapped.address, mapped.handle, 0xA000, 0xA11A, *readable]
    choose = random.Random(function)

    def argument(parameter: Parameter) -> int:
        # Clauses read through pointers, so those must lead somewhere, as to a large structure.
        struct = registry.structs.get(parameter.type)
        if struct and struct.size > 8:
            return choose.choice(readable)
        if "*" in parameter.type and "void*" not in parameter.type:
            return choose.choice([0, *readable])
        return choose.choice(range(4) if parameter.role == "count" else numbers)

    described = registry.functions[function]
    whole, short = first_error(in_force(described), registry), argument_check(described, registry)
    samples = [tuple(argument(p) for p in described.params) for _ in range(500)]
    state, before_init = client.runtime.state, Runtime().state
    assert [] == [s for s in samples if whole(state, s) != short(state, s)]
    assert whole(before_init, samples[0]) == short(before_init, samples[0])


def test_one_atom_of_several_settles_nothing(registry: Registry) -> None:
    """That two things do not hold together says nothing about either."""
    described = registry.functions["hsa_system_get_info"]
    vocabulary = Vocabulary([p.name for p in described.params], {}, {})
    template = next(c for c in described.clauses if is_enforced(c))
    clauses = tuple(
        replace(template, when=tuple(parse(text, vocabulary) for text in texts))
        for texts in (["value == NULL", "attribute == 0"], ["value != NULL", "attribute == 1"])
    )
    check = argument_check(replace(described, clauses=clauses), registry)
    state = Runtime().state
    answers = [check(state, (attribute, value)) for attribute in (0, 1) for value in (0, 1)]
    assert [True, False, False, True] == [answer is not None for answer in answers]
