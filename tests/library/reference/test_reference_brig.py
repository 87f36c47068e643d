"""Modules of HSAIL that break a rule of BRIG are refused, and never read past their end."""

from __future__ import annotations

import ctypes
import random

import pytest

from hsa_reference.finalizer.brig import BrigError, Module, read_module
from hsa_reference.memory import PAGE, protect, reserve, unmap
from tests.golden.brig import MODULES, build_module
from tests.library.reference.reference_client import Client

MODULE = build_module(MODULES["module-counter"])
_READ_WRITE = 3


@pytest.fixture
def client() -> Client:
    """A client of a machine with a finalizer."""
    client = Client("two_gpus")
    client.ok("hsa_init")
    return client


def read(content: bytes) -> Module:
    """Return what is read of a module that ends where there is no memory any more."""
    size = -(-len(content) // PAGE) * PAGE or PAGE
    start = reserve(size + PAGE)
    unmap(start + size, PAGE)
    try:
        protect(start, size, _READ_WRITE)
        address = start + size - len(content)
        ctypes.memmove(address, content, len(content))
        return read_module(address)
    finally:
        unmap(start, size)


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"module-broken"}))
def test_modules_of_the_header_are_read(name: str) -> None:
    text = MODULES[name]
    module = read(build_module(text))
    assert (text.model, text.profile, text.rounding) == (
        module.machine_model,
        module.profile,
        module.rounding,
    )
    shared = {b"&counter": bool(text.variable), b"&first": text.kernel}
    assert {n for n, there in shared.items() if there} == set(module.symbols)


def test_every_module_that_is_cut_off_is_refused() -> None:
    """The header's size leads out of the memory that can be read."""
    for length in range(len(MODULE)):
        with pytest.raises(BrigError):
            read(MODULE[:length])


def test_modules_with_wrong_bytes_are_read_or_refused() -> None:
    """No single wrong byte makes the reader fail in any other way."""
    choose = random.Random(0)
    for position in range(len(MODULE)):
        content = bytearray(MODULE)
        content[position] = choose.randrange(256)
        try:
            read(bytes(content))
        except BrigError:
            continue


def test_a_module_that_is_no_memory_is_refused(client: Client) -> None:
    program = client.ok("hsa_ext_program_create", 1, 1, 2, 0, client.OUT)
    nowhere = reserve(PAGE)
    unmap(nowhere, PAGE)
    answers = [
        client.call("hsa_ext_program_add_module", program, address)
        for address in (0, nowhere, 1 << 63, (1 << 64) - 8)
    ]
    assert ["HSA_EXT_STATUS_ERROR_INVALID_MODULE"] * 4 == answers


def test_a_machine_without_a_finalizer_has_no_programs() -> None:
    client = Client("gfx90a")
    client.ok("hsa_init")
    assert "HSA_STATUS_ERROR_NOT_INITIALIZED" == client.call(
        "hsa_ext_program_create", 1, 1, 2, 0, client.OUT
    )
    number = client.constants["HSA_EXTENSION_FINALIZER"]
    assert 0 == client.ok("hsa_system_extension_supported", number, 1, 0, client.OUT)


def test_the_table_of_the_finalizer_leads_to_its_functions(client: Client) -> None:
    """Code in C passes the directives by value, and a convention with a sign."""
    table = (ctypes.c_uint64 * 6)()
    number = client.constants["HSA_EXTENSION_FINALIZER"]
    address = ctypes.addressof(table)
    client.ok("hsa_system_get_major_extension_table", number, 1, 48, address)
    directives = type(
        "Directives", (ctypes.Structure,), {"_fields_": [("b", ctypes.c_uint8 * 144)]}
    )
    types = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int32, directives]
    finalize = ctypes.CFUNCTYPE(
        *(ctypes.c_uint32, *types, ctypes.c_uint64, ctypes.c_int32, ctypes.c_uint64)
    )(table[5])
    program = client.ok("hsa_ext_program_create", 1, 1, 2, 0, client.OUT)
    isa = client.visit("hsa_agent_iterate_isas", client.agents()[1])[0]
    made = ctypes.c_uint64(0)
    arguments = (isa, -1, directives(), 0, 0, ctypes.addressof(made))
    status = client.runtime.registry.status_name(finalize(program, *arguments))
    assert "HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED" == status
