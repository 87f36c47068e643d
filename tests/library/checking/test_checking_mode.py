"""The reference says on stderr what a client does wrong, when it is asked to."""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hsa_adapters.protocol import Adapter
from hsa_reference import load_machine
from hsa_reference.checking.packets import BARRIER_AND, KERNEL, SYSTEM_SCOPE
from hsa_reference.memory import PAGE
from hsa_reference.runtime import CHECK_VARIABLE
from tests.golden.cases import Case, load_cases
from tests.golden.steps import run_steps
from tests.library.checking.conftest import Blocks
from tests.library.checking.mistakes import MISTAKES
from tests.library.clients.client_programs import MACHINE, compiled, expected, run
from tests.library.reference.reference_client import Client

ON = {CHECK_VARIABLE: "1"}
EQ, ENDLESS = 0, (1 << 64) - 1
LARGE_GRANULES = """
summary: A CPU whose only pool gives memory away in large pieces.
cpus: [{memory: 1 GiB}]
gpus: []
runtime:
  agents:
    cpu:
      pools:
        - {name: all, segment: global, flags: [fine_grained], size: 1 GiB, granule: 64 KiB}
"""


@pytest.fixture
def variables(reference_library: Path) -> dict[str, str]:
    return {"LD_LIBRARY_PATH": str(reference_library.parent)}


def test_a_client_without_mistakes_is_not_accused(
    client: Path, blocks: Blocks, variables: dict[str, str]
) -> None:
    assert [] == blocks([client], variables | ON)


def test_nothing_is_said_unless_it_is_asked_for(
    client: Path, blocks: Blocks, variables: dict[str, str]
) -> None:
    assert [] == blocks([client, "left"], variables | {CHECK_VARIABLE: "0"})


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_named_with_its_clause_and_where_it_was_made(
    mistake: str, client: Path, blocks: Blocks, variables: dict[str, str]
) -> None:
    said, clause = MISTAKES[mistake]
    first, *others = blocks([client, mistake], variables | ON)

    assert first.startswith(f"hsa-check: {said}")
    assert f"/{clause}: " in first if clause else "clause: " not in first
    assert "#0 " in first
    assert "main (client+0x" in first
    assert all(other.splitlines()[0].count(said.split(": ")[1]) for other in others)


def test_what_was_given_back_is_named_with_who_made_it_and_who_gave_it_back(
    client: Path, blocks: Blocks, variables: dict[str, str]
) -> None:
    [block] = blocks([client, "double-free"], variables | ON)

    titles = [line.strip() for line in block.splitlines() if line.startswith("  ")]
    assert {"called at:", "made by hsa_amd_memory_pool_allocate at:"} <= set(titles)
    assert "given back by hsa_amd_memory_pool_free at:" in titles
    assert 3 == sum(title.startswith("#0 memory (client+0x") for title in titles)


def test_the_same_mistake_at_the_same_place_is_said_once_and_counted(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    for _ in range(3):
        client.call("hsa_signal_create", 0, 0, 0, 0)
    client.ok("hsa_shut_down")

    first, last = said
    what = "answered HSA_STATUS_ERROR_INVALID_ARGUMENT"
    assert f"hsa-check: hsa_signal_create: {what}" == first.splitlines()[0]
    assert f"hsa-check: hsa_signal_create: 3 times in all: {what}\n" == last


def test_the_frames_of_a_client_in_python_are_lines(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    client.call("hsa_signal_create", 0, 0, 0, 0)

    assert any(__file__ in line for line in said[0].splitlines())


def test_the_frames_of_a_client_in_python_begin_with_its_call(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    client.call("hsa_signal_create", 0, 0, 0, 0)
    lines = said[0].splitlines()
    stack = [line.strip() for line in lines if line.startswith("    #")]

    assert stack[0].startswith("#0 Client._call (")


def test_a_child_says_nothing_of_what_its_parent_counted(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    for _ in range(2):
        client.call("hsa_signal_create", 0, 0, 0, 0)
    before = len(said)
    child = os.fork()
    if child == 0:
        client.call("hsa_shut_down")
        os._exit(len(said) - before)

    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    client.ok("hsa_shut_down")
    assert ["2 times in all" in block for block in said[before:]] == [True]


@pytest.mark.parametrize("function", ["map_buffer", "map_buffer_with_size"])
def test_a_mapped_buffer_has_the_size_that_was_written(said: list[str], function: str) -> None:
    client = Client()
    client.ok("hsa_init")
    block = client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, client.OUT)
    descriptor = client.ok("hsa_amd_portable_export_dmabuf", block, PAGE, client.OUT, client.OUT)
    agents, size, place = ((ctypes.c_uint64 * 1)() for _ in range(3))
    agents[0] = client.gpu
    hint = (0,) if function.endswith("size") else ()
    given = 1, ctypes.addressof(agents), descriptor & 0xFFFFFFFF, 0, *hint
    for _ in range(2):  # mostly at one address
        client.ok(
            f"hsa_amd_interop_{function}", *given, *map(ctypes.addressof, (size, place)), 0, 0
        )
        client.ok("hsa_amd_interop_unmap_buffer", place[0])
    client.ok("hsa_amd_interop_map_buffer", *given[:4], *map(ctypes.addressof, (size, place)), 0, 0)
    client.ok("hsa_amd_memory_pool_free", block)
    client.ok("hsa_shut_down")

    assert [f"the mapped buffer of {PAGE} bytes" in block for block in said] == [True]


def test_memory_that_a_client_maps_where_a_block_was_is_its_own(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    pool = client.pools(client.cpu)[0]
    block = client.ok("hsa_amd_memory_pool_allocate", pool, PAGE, 0, client.OUT)
    client.ok("hsa_amd_memory_pool_free", block)
    map_again(block, PAGE)
    client.ok("hsa_memory_copy", block, ctypes.addressof(ctypes.create_string_buffer(8)), 8)
    unmap(block, PAGE)
    client.ok("hsa_shut_down")

    assert [] == said


def test_a_block_has_all_bytes_up_to_the_granule_of_its_pool(
    said: list[str], tmp_path: Path
) -> None:
    machine = tmp_path / "machine.yaml"
    machine.write_text(LARGE_GRANULES)
    client = Client(str(machine))
    client.ok("hsa_init")
    pool = client.pools(client.cpu)[0]
    block = client.ok("hsa_amd_memory_pool_allocate", pool, 1, 0, client.OUT)
    client.ok("hsa_amd_memory_fill", block, 0, 16 * PAGE // 4)

    assert [] == said


def test_a_handle_that_is_in_use_again_is_no_use_after_destruction(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    for _ in range(3):
        signal = client.ok("hsa_signal_create", 1, 0, 0, client.OUT)
        client.functions["hsa_signal_wait_relaxed"](signal, 0, 1, 0, 0)
        client.ok("hsa_signal_destroy", signal)
    client.ok("hsa_shut_down")

    assert [] == said


def test_a_queue_of_a_descriptor_is_new_where_an_older_one_was(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    structure = client.runtime.registry.structs["hsa_amd_queue_create_desc_t"]
    described = (ctypes.c_uint64 * (structure.size // 8))(1, 4096)
    older, newer = list[int](), list[int]()
    for _ in range(5):
        older.append(a_queue(client))
        client.ok("hsa_queue_destroy", older[-1])
        client.ok("hsa_amd_queue_create", client.gpu, ctypes.addressof(described), 1)
        newer.append(described[structure.field["queue"].offset // 8])
        client.ok("hsa_queue_destroy", newer[-1])

    assert set(older) & set(newer)
    assert [] == said


@pytest.mark.parametrize("end", ["hsa_queue_destroy", "hsa_queue_inactivate"])
def test_packets_of_a_queue_that_has_ended_need_no_signals(end: str, said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    queue, (gate, done) = a_queue(client), signals(client, 2)
    store(client, queue, barrier(gate, done))
    client.ok(end, queue)
    for signal in (gate, done):
        client.ok("hsa_signal_destroy", signal)

    assert [] == said


def test_packets_of_a_queue_in_an_error_state_need_no_signals(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    queue, (done,) = a_queue(client), signals(client, 1)
    store(client, queue, dispatch_of_nothing())
    store(client, queue, barrier(0, done))
    client.ok("hsa_signal_destroy", done)

    assert [] == said


def test_a_signal_that_a_waiting_packet_completes_is_needed(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    queue, (gate, done) = a_queue(client), signals(client, 2)
    store(client, queue, barrier(gate, 0))
    store(client, queue, barrier(0, done))
    client.ok("hsa_signal_destroy", done)

    assert [True] == ["destroyed in use" in block for block in said]


@pytest.mark.parametrize("operation", ["silent_store", "exchange", "add", "or"])
def test_a_copy_whose_signals_are_set_again_has_ended(operation: str, said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    first, done = signals(client, 2)
    pool = client.pools(client.cpu)[0]
    block = client.ok("hsa_amd_memory_pool_allocate", pool, PAGE, 0, client.OUT)
    waits_for = ctypes.c_uint64(first)
    places = block, client.cpu, block + 64, client.cpu
    client.ok("hsa_amd_memory_async_copy", *places, 64, 1, ctypes.addressof(waits_for), done)
    client.functions["hsa_signal_subtract_relaxed"](first, 1)
    assert 0 == client.functions["hsa_signal_wait_scacquire"](done, EQ, 0, ENDLESS, 0)
    for signal in (first, done):
        client.functions[f"hsa_signal_{operation}_relaxed"](signal, 1)
    for signal in (done, first):
        client.ok("hsa_signal_destroy", signal)

    assert [] == said


def test_a_copy_of_no_bytes_needs_no_signals(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    gate, done = signals(client, 2)
    waits_for, room = ctypes.c_uint64(gate), ctypes.create_string_buffer(8)
    places = ctypes.addressof(room), client.cpu, ctypes.addressof(room) + 4, client.cpu
    client.ok("hsa_amd_memory_async_copy", *places, 0, 1, ctypes.addressof(waits_for), done)
    for signal in (done, gate):
        client.ok("hsa_signal_destroy", signal)

    assert [] == said


def test_a_signal_that_is_set_again_waits_for_no_kernel(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    queue, (done,) = a_queue(client), signals(client, 1)
    store(client, queue, dispatch_of_nothing(fence=0, completion=done))
    client.functions["hsa_signal_wait_scacquire"](done, EQ, 0, 0, 0)
    client.functions["hsa_signal_silent_store_relaxed"](done, 0)
    client.functions["hsa_signal_wait_scacquire"](done, EQ, 0, 0, 0)

    assert [True] == ["missing fence" in block for block in said]


def a_queue(client: Client) -> int:
    most = 0xFFFFFFFF
    return client.ok("hsa_queue_create", client.gpu, 64, 0, 0, 0, most, most, client.OUT)


def signals(client: Client, count: int) -> list[int]:
    return [client.ok("hsa_signal_create", 1, 0, 0, client.OUT) for _ in range(count)]


def store(client: Client, queue: int, packet: bytes) -> None:
    base, doorbell, size = struct.unpack_from("=QQI", ctypes.string_at(queue, 40), 8)
    index = client.functions["hsa_queue_add_write_index_relaxed"](queue, 1)
    place = base + index % size * len(packet)
    ctypes.memmove(place + 2, packet[2:], len(packet) - 2)
    ctypes.memmove(place, packet[:2], 2)  # the header last: it hands the packet over
    client.functions["hsa_signal_store_screlease"](doorbell, index)


def barrier(dependency: int, completion: int) -> bytes:
    header = BARRIER_AND | SYSTEM_SCOPE << 9 | SYSTEM_SCOPE << 11
    return struct.pack("=HHI5QQQ", header, 0, 0, dependency, 0, 0, 0, 0, 0, completion)


def dispatch_of_nothing(fence: int = SYSTEM_SCOPE, completion: int = 0) -> bytes:
    """Return a dispatch that is well-formed, of a kernel that is none."""
    header = KERNEL | SYSTEM_SCOPE << 9 | fence << 11
    return struct.pack("=HH3HH3IIIQQQQ", header, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, completion)


def test_what_an_applications_own_function_answers_is_not_said(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    status = "HSA_STATUS_ERROR_INVALID_ARGUMENT"
    visit = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)(
        lambda _agent, _data: client.constants[status]
    )
    address = ctypes.cast(visit, ctypes.c_void_p).value

    assert status == client.call("hsa_iterate_agents", address, 0)
    assert [] == said


def test_asking_for_a_name_that_may_not_be_there_is_no_mistake(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    name = ctypes.create_string_buffer(b"nobody")
    executable = client.ok("hsa_executable_create_alt", 1, 1, 0, client.OUT)
    unknown = [
        client.call(
            "hsa_executable_get_symbol_by_name", executable, ctypes.addressof(name), 0, client.OUT
        ),
        client.call("hsa_isa_from_name", ctypes.addressof(name), client.OUT),
    ]

    wanted = ["HSA_STATUS_ERROR_INVALID_SYMBOL_NAME", "HSA_STATUS_ERROR_INVALID_ISA_NAME"]
    assert wanted == unknown
    assert [] == said


def test_a_child_leaves_nothing_that_its_parent_made(said: list[str]) -> None:
    client = Client()
    client.ok("hsa_init")
    signals(client, 1)
    child = os.fork()
    if child == 0:
        client.call("hsa_shut_down")
        os._exit(len(said))

    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    client.ok("hsa_shut_down")
    assert [True] == ["left at shut down" in block for block in said]


def test_memory_that_runs_out_is_not_said(said: list[str]) -> None:
    client = Client(replace(load_machine("two_gpus"), exhausted=frozenset({"memory"})))

    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == client.call("hsa_init")
    assert [] == said


@pytest.fixture(scope="module")
def checked_adapter() -> Iterator[Adapter]:
    """Return the in-process reference with checks."""
    from hsa_conformance.subjects import reference

    subject = reference()
    subject.start()
    yield subject
    subject.close()


def test_no_golden_case_that_succeeds_throughout_is_accused(
    checked_adapter: Adapter, said: list[str]
) -> None:
    """Hundreds of right programs, written from the header, of which nothing is said."""
    accused = {}
    for case in filter(_succeeds, load_cases()):
        said.clear()
        run_steps(checked_adapter.process, case)
        first = [text.splitlines()[0] for text in said]
        # Cases leave what they made, and a process's end is one hsa_shut_down too many.
        wrong = [f for f in first if ": left at" not in f and "hsa_shut_down: answered" not in f]
        if wrong:
            accused[str(case)] = wrong

    assert {} == accused


def _succeeds(case: Case) -> bool:
    statuses = [step["status"] for step in case.steps if "status" in step]
    return bool(case.steps) and all(status == "HSA_STATUS_SUCCESS" for status in statuses)


_LIBC = ctypes.CDLL(None)
_LIBC.mmap.restype = ctypes.c_void_p
_MAP_FIXED = 0x10


def map_again(address: int, size: int) -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_FIXED
    access = mmap.PROT_READ | mmap.PROT_WRITE
    place = ctypes.c_void_p(address), ctypes.c_size_t(size)
    assert address == _LIBC.mmap(*place, access, flags, -1, ctypes.c_long(0))


def unmap(address: int, size: int) -> None:
    _LIBC.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))


@pytest.mark.parametrize("program", ["enumerate", "copies", "ring", "service", "share"])
def test_programs_that_do_nothing_wrong_are_not_accused(
    program: str, tmp_path: Path, reference_library: Path, variables: dict[str, str]
) -> None:
    made = compiled(program, reference_library, tmp_path)
    done = run([made], variables | ON | {"HSA_REFERENCE_MACHINE": str(MACHINE)})

    assert (expected(program), "") == (done.stdout.splitlines(), done.stderr)
