"""Wrong answers about code: who gives them is blamed, and nobody who relies on them."""

from __future__ import annotations

import ctypes

import pytest

from hsa_reference import memory
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, verdicts

OF_SYMBOL = "hsa_executable_symbol_get_info"
LOOK_UP = "hsa_executable_get_symbol_by_name"
LOAD = "hsa_executable_load_agent_code_object"
LIST = "hsa_ven_amd_loader_executable_iterate_loaded_code_objects"
NAME_LENGTH, NAME = 1, 2
MOST = 63
RIGHT = {Verdict.PASS}


def cuts_long_names(f: Functions) -> dict[str, Function]:
    """Give a symbol's name through a buffer that is too small."""

    def wrong(symbol: int, attribute: int, value: int) -> int:
        status = f[OF_SYMBOL](symbol, attribute, value)
        length = ctypes.c_uint32()
        if status == 0 and attribute == NAME:
            f[OF_SYMBOL](symbol, NAME_LENGTH, ctypes.addressof(length))
            ctypes.memset(value + MOST, 0, max(0, length.value - MOST))
        return status

    return {OF_SYMBOL: wrong}


def gives_the_first(f: Functions) -> dict[str, Function]:
    """Give the loaded code object that was the first of its executable."""
    first: dict[int, int] = {}

    def wrong(executable: int, agent: int, reader: int, options: int, loaded: int) -> int:
        status = f[LOAD](executable, agent, reader, options, loaded)
        if status == 0 and loaded:
            memory.store(loaded, first.setdefault(executable, memory.load(loaded, 8)), 8)
        return status

    return {LOAD: wrong}


@pytest.mark.parametrize(
    ("mistake", "found"),
    [
        (
            cuts_long_names,
            {f"{OF_SYMBOL}/name": {Verdict.FAIL}, f"{LOOK_UP}/same-name": {Verdict.BLOCKED}},
        ),
        (
            gives_the_first,
            {f"{LOAD}/loaded-code-object": {Verdict.FAIL}, f"{LIST}/each-once": {Verdict.BLOCKED}},
        ),
        (
            honest,
            {f"{OF_SYMBOL}/name": RIGHT, f"{LOOK_UP}/same-name": RIGHT, f"{LIST}/each-once": RIGHT},
        ),
    ],
)
def test_the_function_that_answers_wrongly_is_blamed(
    registry: Registry, mistake: Mistake, found: dict[str, set[Verdict]]
) -> None:
    judged = {clause: verdicts(registry, mistake, clause) for clause in found}
    assert all(found[clause] <= judged[clause] <= found[clause] | RIGHT for clause in found)
