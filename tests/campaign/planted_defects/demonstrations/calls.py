"""Calls that succeed, alone and in pairs, for demonstrations."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hsa_adapters.calls import Call
from tests.campaign.planted_defects.demonstrations.bench import Bench

#: A call, and whether its status and memory afterwards are what they should be.
Checked = tuple[Call, Callable[[Bench, int], bool]]


def _alike(
    bench: Bench, function: str, rows: Sequence[tuple[int, ...]], size: int
) -> list[Checked]:
    """Return queries, each of which has to write what it wrote when it was alone."""
    pairs: list[Checked] = []
    for row in rows:
        out = bench.room(256)
        bench.call(function, *row, out)
        content = bench.process.read(out, size)
        bench.process.write(out, bytes(256))

        def is_right(
            bench: Bench, status: int, out: int = out, content: bytes | None = content
        ) -> bool:
            return status == 0 and bench.process.read(out, size) == content

        pairs.append((Call(function, (*row, out)), is_right))
    return pairs


def _frees(function: str, *arguments: tuple[int, ...]) -> list[Checked]:
    return [(Call(function, row), lambda _, status: status == 0) for row in arguments]


def _signals(bench: Bench) -> list[Checked]:
    pairs: list[Checked] = []
    for value in (7, 8):
        out = bench.room()

        def is_right(bench: Bench, _: int, out: int = out, value: int = value) -> bool:
            return bench.call("hsa_signal_load_relaxed", bench.word(out)).result == value

        pairs.append((Call("hsa_signal_create", (value, 0, 0, out)), is_right))
    return pairs


def _queues(bench: Bench) -> list[Checked]:
    pairs: list[Checked] = []
    for size in (64, 128):
        out = bench.room()

        def is_right(bench: Bench, _: int, out: int = out, size: int = size) -> bool:
            return bench.word(bench.word(out) + 24, 4) == size

        call = Call("hsa_queue_create", (bench.gpu(), size, 0, 0, 0, 2**32 - 1, 2**32 - 1, out))
        pairs.append((call, is_right))
    return pairs


def _copies(bench: Bench) -> list[Checked]:
    pairs: list[Checked] = []
    for content in (b"a" * 8, b"b" * 8):
        source, target = bench.room(8, content), bench.room(8)

        def is_right(bench: Bench, _: int, target: int = target, content: bytes = content) -> bool:
            return bench.process.read(target, 8) == content

        pairs.append((Call("hsa_memory_copy", (target, source, 8)), is_right))
    return pairs


def _pointers(bench: Bench) -> list[Checked]:
    pairs: list[Checked] = []
    for _ in range(2):
        block = bench.block(2**21)
        info = bench.room(64, struct.pack("<Q", 56))

        def is_right(bench: Bench, _: int, info: int = info, block: int = block) -> bool:
            return bench.word(info + 8) == block or bench.word(info + 16) == block

        pairs.append((Call("hsa_amd_pointer_info", (block, info, 0, 0, 0)), is_right))
    return pairs


def _pools(bench: Bench) -> list[int]:
    return [pool for agent in bench.agents() for pool in bench.pools(agent)]


#: Two calls that differ in an argument.
TWO: Final[Mapping[str, Callable[[Bench], Sequence[Checked]]]] = {
    "hsa_agent_get_info": lambda b: _alike(
        b, "hsa_agent_get_info", [(a, 0) for a in b.agents()], 64
    ),
    "hsa_system_get_info": lambda b: _alike(b, "hsa_system_get_info", [(0,), (3,)], 8),
    "hsa_isa_get_info_alt": lambda b: _alike(
        b, "hsa_isa_get_info_alt", [(b.isas()[0], 0), (b.isas()[0], 1)], 4
    ),
    "hsa_amd_memory_pool_get_info": lambda b: _alike(
        b, "hsa_amd_memory_pool_get_info", [(p, 2) for p in _pools(b)], 8
    ),
    "hsa_amd_pointer_info": _pointers,
    "hsa_signal_create": _signals,
    "hsa_memory_copy": _copies,
    "hsa_amd_memory_pool_free": lambda b: _frees(
        "hsa_amd_memory_pool_free", (b.host_block(),), (b.host_block(),)
    ),
    "hsa_amd_vmem_address_free": lambda b: _frees(
        "hsa_amd_vmem_address_free", (b.reserved(), 2**21), (b.reserved(), 2**21)
    ),
    "hsa_queue_create": _queues,
    "hsa_status_string": lambda b: _alike(b, "hsa_status_string", [(0,), (0x1001,)], 8),
}

#: Calls that succeed, however often and early they are made.
ALONE: Final[dict[str, Callable[[Bench], Call]]] = {
    "hsa_status_string": lambda b: Call("hsa_status_string", (0, b.room())),
    "hsa_system_get_info": lambda b: Call("hsa_system_get_info", (0, b.room())),
    "hsa_system_extension_supported": lambda b: Call(
        "hsa_system_extension_supported", (0x200, 1, 0, b.room())
    ),
    "hsa_system_get_major_extension_table": lambda b: Call(
        "hsa_system_get_major_extension_table", (0x201, 1, 8, b.room())
    ),
    "hsa_isa_from_name": lambda b: Call(
        "hsa_isa_from_name", (b.room(64, b"amdgcn-amd-amdhsa--gfx90a"), b.room())
    ),
    "hsa_agent_get_info": lambda b: Call("hsa_agent_get_info", (b.agents()[0], 0, b.room(64))),
    "hsa_isa_get_info_alt": lambda b: Call("hsa_isa_get_info_alt", (b.isas()[0], 1, b.room(64))),
}

#: Calls that make an object each.
CREATED: Final[dict[str, Callable[[Bench], Call]]] = {
    "hsa_signal_create": lambda b: Call("hsa_signal_create", (1, 0, 0, b.room())),
    "hsa_amd_memory_pool_allocate": lambda b: Call(
        "hsa_amd_memory_pool_allocate", (b.pools(b.gpu())[0], 4096, 0, b.room())
    ),
    "hsa_queue_create": lambda b: Call(
        "hsa_queue_create", (b.gpu(), 64, 0, 0, 0, 2**32 - 1, 2**32 - 1, b.room())
    ),
    "hsa_executable_create_alt": lambda b: Call("hsa_executable_create_alt", (1, 0, 0, b.room())),
    "hsa_code_object_reader_create_from_file": lambda b: Call(
        "hsa_code_object_reader_create_from_file", (b.process.open_file(64), b.room())
    ),
    "hsa_amd_vmem_address_reserve_align": lambda b: Call(
        "hsa_amd_vmem_address_reserve_align", (b.room(), 2**21, 0, 0, 0)
    ),
    "hsa_amd_vmem_map": lambda b: Call(
        "hsa_amd_vmem_map", (b.reserved(), 2**21, 0, b.memory_handle(), 0)
    ),
}


def used(bench: Bench, function: str) -> Call:
    """Return a call that uses, or gives back, what was made before."""
    match function:
        case "hsa_amd_memory_pool_free":
            return Call(function, (bench.host_block(),))
        case "hsa_amd_pointer_info":
            return Call(
                function, (bench.host_block(), bench.room(64, struct.pack("<Q", 56)), 0, 0, 0)
            )
        case "hsa_signal_destroy":
            return Call(function, (bench.signal(),))
        case "hsa_queue_destroy":
            return Call(function, (bench.queue(),))
        case "hsa_executable_destroy":
            return Call(function, (bench.made("hsa_executable_create_alt", 1, 0, 0),))
        case "hsa_amd_vmem_unmap":
            return Call(function, (bench.mapped(), 2**21))
        case "hsa_signal_store_screlease":
            return Call(function, (bench.signal(), 0))
        case "hsa_signal_wait_scacquire":
            return Call(function, (bench.signal(), 0, 1, 0, 1))
        case "hsa_memory_copy":
            return Call(function, (bench.room(), bench.room(), 8))
        case "hsa_amd_signal_async_handler":
            handler = bench.room()  # which is never called
            return Call(function, (bench.signal(), 0, 0, handler, 0))
        case _:
            raise KeyError(function)
