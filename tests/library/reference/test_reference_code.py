"""Code objects in the reference: hostile ones are refused, right ones lie in real memory."""

from __future__ import annotations

import ctypes
import os
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsa_conformance.code_objects import TARGETS, Code, Kernel, Variable, build
from hsa_reference.amdgpu.code import read_code
from hsa_reference.amdgpu.errors import FormatError
from hsa_reference.amdgpu.kernels import kernel
from hsa_reference.core.executables.source import Source
from tests.library.reference.reference_client import Client

OUT = Client.OUT
LOAD = "hsa_executable_load_agent_code_object"
KERNELS = (Kernel("first"), Kernel("second", 32, 256, 64))
VARIABLES = (Variable("counter", 7), Variable("limit", 9, constant=True))
POINTER = Variable("pointer", points_to="elsewhere")
ELSEWHERE = 0x1122334455667788
#: What a mutant is made of, and numbers that mean trouble.
IMAGES = [
    build(Code(TARGETS["gfx942"], kernels, variables, version))
    for kernels, variables, version in (
        (KERNELS, (*VARIABLES, POINTER), 5),
        (KERNELS[:1], (), 4),
        ((), VARIABLES, 2),
    )
]
NUMBERS = [0, 1, 2, 0x38, 0x40, 0xFFFF, 2**31, 2**32 - 1, 2**47, 2**63, 2**64 - 1]
VISIT = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * 3)


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """Draw a code object with bytes and numbers in it changed, and perhaps its end cut off."""
    content = bytearray(draw(st.sampled_from(IMAGES)))
    for _ in range(draw(st.integers(1, 4))):
        size = draw(st.sampled_from([1, 2, 4, 8]))
        # Headers are in the first bytes; a change anywhere else is mostly one of instructions.
        end = draw(st.sampled_from([64, 512, len(content)])) - size
        start = draw(st.integers(0, end))
        old = int.from_bytes(content[start : start + size], "little")
        new = draw(
            st.sampled_from([*NUMBERS, old + 1, old - 1, old * 2, draw(st.integers(0, 255))])
        )
        content[start : start + size] = (new % (1 << 8 * size)).to_bytes(size, "little")
    return bytes(
        content[: draw(st.sampled_from([len(content), draw(st.integers(1, len(content)))]))]
    )


@contextmanager
def reader(client: Client, content: bytes) -> Iterator[int]:
    buffer = ctypes.create_string_buffer(content, len(content))
    place = ctypes.addressof(buffer)
    handle = client.ok("hsa_code_object_reader_create_from_memory", place, len(content), OUT)
    yield handle
    client.ok("hsa_code_object_reader_destroy", handle)


def executable(client: Client) -> int:
    return client.ok("hsa_executable_create_alt", 0, "HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR", 0, OUT)


def define(client: Client, handle: int, agent: int, address: int = ELSEWHERE) -> None:
    name = ctypes.create_string_buffer(b"elsewhere")
    place = ctypes.addressof(name)
    client.ok("hsa_executable_agent_global_variable_define", handle, agent, place, address)


def symbol(client: Client, handle: int, name: bytes, agent: int) -> int:
    text, owner = ctypes.create_string_buffer(name), ctypes.c_uint64(agent)
    place, at = ctypes.addressof(text), ctypes.addressof(owner)
    return client.ok("hsa_executable_get_symbol_by_name", handle, place, at, OUT)


def address_of(client: Client, handle: int, name: bytes, agent: int) -> int:
    asked = "HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS"
    found = symbol(client, handle, name, agent)
    return client.ok("hsa_executable_symbol_get_info", found, asked, OUT)


def load(client: Client, content: bytes, agent: int) -> tuple[int, str]:
    """Return an executable, and what loading code into it answers."""
    handle = executable(client)
    define(client, handle, agent)
    with reader(client, content) as origin:
        return handle, client.call(LOAD, handle, agent, origin, 0, 0)


def ask_everything(client: Client, handle: int) -> None:
    """Ask for every attribute of every symbol of an executable."""
    buffer = ctypes.create_string_buffer(1 << 16)
    attributes = client.runtime.registry.enums["hsa_executable_symbol_info_t"].enumerators

    def visit(_: int, found: int, __: int) -> int:
        for attribute in attributes:
            place = ctypes.addressof(buffer)
            client.call("hsa_executable_symbol_get_info", found, attribute.value, place)
        return 0

    callback = VISIT(visit)
    where = ctypes.cast(callback, ctypes.c_void_p).value
    client.ok("hsa_executable_iterate_symbols", handle, where, 0)


@settings(max_examples=400, deadline=2000)
@given(content=mutants())
def test_hostile_code_is_loaded_or_refused_and_nothing_else(content: bytes) -> None:
    """Whatever the bytes are, loading answers a documented status; what it loads can be used."""
    client = Client()
    client.ok("hsa_init")
    documented = client.runtime.registry.functions[LOAD].documented
    handle, status = load(client, content, client.gpu)
    assert status.removeprefix("HSA_STATUS_") in {
        *(name.removeprefix("HSA_STATUS_") for name in documented),
        "ERROR_INVALID_CODE_OBJECT",
        "ERROR_VARIABLE_ALREADY_DEFINED",
        "ERROR_VARIABLE_UNDEFINED",
    }
    client.ok("hsa_executable_freeze", handle, 0)
    ask_everything(client, handle)
    client.finish()


@pytest.mark.parametrize("content", IMAGES, ids=["kernels", "kernel", "old"])
def test_a_truncated_file_is_no_code(content: bytes) -> None:
    """Without its last loaded bytes a file is refused at every length."""
    found = read_code(content)
    assert found is not None
    needed = max(s.offset + len(s.data) for s in found.elf.segments)
    assert all(read_code(content[:size]) is None for size in range(0, needed, 7))


def repeated_headers(content: bytes) -> bytes:
    """Return a file with 60,000 copies of its headers behind it."""
    size, count = struct.unpack_from("<HH", content, 54)
    headers = content[64 : 64 + size * count] * (60_000 // count)
    changed = bytearray(content + headers)
    struct.pack_into("<Q", changed, 32, len(content))
    struct.pack_into("<H", changed, 56, len(headers) // size)
    return bytes(changed)


def test_a_file_that_asks_for_much_work_is_refused_at_once() -> None:
    """Headers that say the same again and again are not all believed."""
    start = time.monotonic()
    assert read_code(repeated_headers(IMAGES[0])) is None
    assert time.monotonic() - start < 2


def relocated(client: Client, type_: int, symbol: int, addend: int) -> tuple[int, int]:
    """Return what a relocation leaves in a variable, and how far the code was moved."""
    content = build(Code(TARGETS["gfx942"], (), (POINTER,)))
    found = read_code(content)
    assert found is not None
    [old] = found.elf.relocations
    entry = struct.pack("<QQ", old.address, 2 << 32 | old.type)
    changed = struct.pack("<QQq", old.address, symbol << 32 | type_, addend)
    assert content.count(entry) == 1
    place = content.index(entry)
    handle, status = load(client, content[:place] + changed + content[place + 24 :], client.gpu)
    assert status == "HSA_STATUS_SUCCESS"
    client.ok("hsa_executable_freeze", handle, 0)
    address = address_of(client, handle, b"pointer", client.gpu)
    return ctypes.c_uint64.from_address(address).value, address - old.address


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (0, 0),
        (1, (ELSEWHERE + 4) % 2**32),
        (2, ELSEWHERE >> 32),
        (3, ELSEWHERE + 4),
        (6, (ELSEWHERE + 4) % 2**32),
    ],
    ids=["none", "low half", "high half", "whole", "half"],
)
def test_code_gets_the_address_of_what_others_define(
    client: Client, type_: int, expected: int
) -> None:
    """A place that depends on a symbol gets the part of its address that the type says."""
    assert expected == relocated(client, type_, 2, 4)[0]


def test_no_arguments_have_no_alignment() -> None:
    """Metadata may say 0 of both, and not of the alignment of arguments that there are."""
    said = {".kernarg_segment_size": 0, ".kernarg_segment_align": 0}
    assert kernel(bytes(64), said).alignment == 16
    with pytest.raises(FormatError, match="8 bytes of arguments, aligned to 0"):
        kernel(bytes(64), {**said, ".kernarg_segment_size": 8})


def test_what_no_place_depends_on_need_not_be_defined() -> None:
    """A symbol may be undefined: clang leaves one of each array in LDS."""
    needed = build(Code(TARGETS["gfx942"], (), (POINTER,)))
    found = read_code(needed)
    assert found is not None
    [old] = found.elf.relocations
    place = needed.index(struct.pack("<QQ", old.address, 2 << 32 | old.type))
    unused = read_code(needed[: place + 8] + bytes(4) + needed[place + 12 :])
    assert unused is not None
    assert ([b"elsewhere"], []) == (found.undefined, unused.undefined)


def test_code_gets_the_address_of_what_it_has_itself(client: Client) -> None:
    """A place that depends on where the code lies gets that, moved by the addend."""
    value, moved = relocated(client, 13, 0, 0x40)
    assert moved + 0x40 == value
    own, moved = relocated(client, 3, 1, 8)
    assert value != own
    assert own > moved


def test_a_relocation_of_an_unknown_type_is_refused() -> None:
    """What nobody can do is not left undone."""
    found = read_code(IMAGES[0])
    assert found is not None
    relocation = found.elf.relocations[0]
    entry = struct.pack("<QI", relocation.address, relocation.type)
    place = IMAGES[0].index(entry)
    content = IMAGES[0][: place + 8] + b"\x63" + IMAGES[0][place + 9 :]
    assert read_code(content) is None


def test_nothing_of_an_executable_is_left(client: Client) -> None:
    """Loading and destroying again and again takes no memory."""
    before = mappings()
    for _ in range(50):
        handle, status = load(client, IMAGES[1], client.gpu)
        assert status == "HSA_STATUS_SUCCESS"
        client.ok("hsa_executable_destroy", handle)
    assert mappings() <= before + 2


def mappings() -> int:
    return len(Path("/proc/self/maps").read_text().splitlines())


def test_nobody_makes_an_executable_while_another_thread_visits_them(client: Client) -> None:
    """A call that creates an executable returns once the traversal of all has ended."""
    executable(client)
    inside, order = threading.Event(), []

    def visit(_: int, __: int) -> int:
        inside.set()
        maker.join(0.2)
        order.append("visited")
        return 0

    def make() -> None:
        inside.wait()
        executable(client)
        order.append("made")

    maker = threading.Thread(target=make)
    maker.start()
    callback = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * 2)(visit)
    where = ctypes.cast(callback, ctypes.c_void_p).value
    client.ok("hsa_ven_amd_loader_iterate_executables", where, 0)
    maker.join()
    assert ["visited", "made"] == order


@pytest.mark.parametrize("start", [0, 1, 2**63, 2**64 - 1])
def test_a_file_without_end_is_no_code(start: int) -> None:
    with Path("/dev/zero").open("rb") as endless:
        assert Source(start, None, endless.fileno()).code is None


def test_a_file_that_is_larger_than_any_code_is_none(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"\x7fELF")
    os.truncate(path, 1 << 40)
    with path.open("rb") as large:
        assert Source(0, None, large.fileno()).code is None
