"""Variables all over the segments of code: a loader that is wrong about one place is noticed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from hsa_conformance.code_objects import MADE, addresses
from hsa_spec import Registry
from tests.wrong.functions import honest, mistaken
from tests.wrong.inside import results

LOAD = "hsa_executable_load_agent_code_object"
READER = "hsa_code_object_reader_create_from_memory"
QUERY = "hsa_executable_symbol_get_info"
LOADED = "hsa_ven_amd_loader_loaded_code_object_get_info"
ALIGNMENT, SIZE, CONSTANT, ADDRESS = 8, 9, 10, 21
INVALID_CODE_OBJECT = 0x1010

Functions = dict[str, Callable[..., int]]


def refusing(functions: Functions, refused: Callable[[int, int], bool]) -> Functions:
    """Return functions that refuse code with a variable at such an address, of such a size."""
    codes = {}

    def create(address: int, size: int, reader: int) -> int:
        status = functions[READER](address, size, reader)
        if not status:
            code = MADE.get(ctypes.string_at(address, size))
            codes[ctypes.c_uint64.from_address(reader).value] = code
        return status

    def load(executable: int, agent: int, reader: int, options: int, loaded: int) -> int:
        if code := codes.get(reader):
            places = addresses(code)
            if any(refused(places[v.name], v.size) for v in code.variables):
                return INVALID_CODE_OBJECT
        return functions[LOAD](executable, agent, reader, options, loaded)

    return {**functions, READER: create, LOAD: load}


def telling(
    functions: Functions, attribute: int, wrong: Callable[[int], int], kind: Any = ctypes.c_uint32
) -> Functions:
    """Return functions that say something else of a variable."""

    def query(symbol: int, asked: int, value: int) -> int:
        status = functions[QUERY](symbol, asked, value)
        if asked == attribute and value and not status:
            place = kind.from_address(value)
            place.value = wrong(place.value)
        return status

    return {**functions, QUERY: query}


FAULTS: dict[str, tuple[str, Callable[[Functions], Functions]]] = {
    "no address 0": (f"{LOAD}/symbols-appear", lambda f: refusing(f, lambda at, _: at == 0)),
    "no empty variable": (f"{LOAD}/symbols-appear", lambda f: refusing(f, lambda _, s: s == 0)),
    "sizes of a word": (
        f"{QUERY}/variable-size",
        lambda f: telling(f, SIZE, lambda size: -(-size // 4) * 4),
    ),
    "constants mixed up": (
        f"{QUERY}/variable-constant",
        lambda f: telling(f, CONSTANT, lambda told: 1 - told, ctypes.c_uint8),
    ),
    "all of a page": (
        f"{QUERY}/variable-aligned",
        lambda f: telling(f, ALIGNMENT, lambda _: 4096),
    ),
    "one address": (
        f"{QUERY}/variables-apart",
        lambda f: telling(f, ADDRESS, lambda at: at and at & ~4095, ctypes.c_uint64),
    ),
    "a byte further": (
        f"{LOADED}/variables-moved",
        lambda f: telling(f, ADDRESS, lambda at: at and at + 1, ctypes.c_uint64),
    ),
    "far away": (
        f"{LOADED}/variables-within",
        lambda f: telling(f, ADDRESS, lambda at: at and at + (1 << 20), ctypes.c_uint64),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_blamed_on_its_clause(registry: Registry, fault: str) -> None:
    """The clause passes on the reference, and fails with one mistake in it."""
    name, plant = FAULTS[fault]
    found = []
    for mistake in (honest, lambda right: plant({**right})):
        judged = results(mistaken(registry, mistake), registry, name)
        found.append({str(result.verdict) for result in judged})
    assert {"PASS"} == found[0]
    assert found[1] & {"FAIL", "WARN"}
