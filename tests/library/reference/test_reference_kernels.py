"""Kernels that are functions of the host: bound by a file, and called as packets say."""

from __future__ import annotations

import ctypes
import re
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from hsa_conformance.code_objects import TARGETS, Code, Kernel, build
from hsa_reference import KernelsError, memory
from hsa_reference.core.system import timestamp
from hsa_reference.kernels import load_kernels
from tests.library.reference.reference_client import Client
from tests.library.reference.test_reference_code import executable, reader, symbol
from tests.library.reference.test_reference_queues import (
    OUT,
    SECOND,
    queue,
    signal,
    submit,
    value_within,
)

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

PAGE = Path(__file__).parents[3] / "docs/how-to/run-kernels-on-the-host.md"
#: Notes each call: place, work-group, place in it, size, and what lies in the group's memory.
NOTE = """
void note(void *kernarg, const hsa_kernel_dispatch_packet_t *packet, const hsa_reference_ids_t *ids)
{
    struct { uint64_t count; uint32_t calls[1024][13]; } *args = *(void **)kernarg;
    uint32_t *call = args->calls[args->count++], *shared = ids->group_memory;
    for (int i = 0; i < 12; i++)
        call[i] = ids->item[i];
    call[12] = shared ? (shared[0] = packet->group_segment_size) : 0;
}
"""
KERNELS = tuple(Kernel(name, 24) for name in ("add", "sum", "note", "unbound"))
#: The prototypes of the only things that the functions need of hsa.h.
PACKET = """
#include <stdint.h>
typedef struct {
    uint16_t header, setup, workgroup_size_x, workgroup_size_y, workgroup_size_z, reserved0;
    uint32_t grid_size_x, grid_size_y, grid_size_z, private_segment_size, group_segment_size;
    uint64_t kernel_object;
    void *kernarg_address;
    uint64_t reserved2, completion_signal;
} hsa_kernel_dispatch_packet_t;
"""


def blocks() -> Mapping[str, str]:
    """Return the files of the page by name."""
    return dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the page, one more kernel, and their library."""
    found = tmp_path_factory.mktemp("kernels")
    named = "  note.kd: {library: kernels.so}\n"
    (found / "kernels.yaml").write_text(blocks()["kernels.yaml"] + named)
    code = blocks()["kernels.c"].replace("#include <hsa/hsa.h>\n", PACKET) + NOTE
    (found / "kernels.c").write_text(code)
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", "kernels.so", "kernels.c"]
    subprocess.run(command, cwd=found, check=True)
    return found


@pytest.fixture
def client(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setenv("HSA_REFERENCE_KERNELS", str(folder / "kernels.yaml"))
    found = Client("one_gpu")
    found.ok("hsa_init")
    yield found
    found.finish()


def kernel_object(client: Client, name: str, *, frozen: bool = True) -> int:
    """Load the code, and return the address of a kernel's descriptor."""
    handle = executable(client)
    with reader(client, build(Code(TARGETS[processor(client)], KERNELS, ()))) as origin:
        client.ok("hsa_executable_load_agent_code_object", handle, client.gpu, origin, 0, 0)
    if not frozen:
        state = client.runtime.state
        return next(iter(state.find("executable", handle).loaded[0].kernels))
    client.ok("hsa_executable_freeze", handle, 0)
    asked = "HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT"
    found = symbol(client, handle, f"{name}.kd".encode(), client.gpu)
    return client.ok("hsa_executable_symbol_get_info", found, asked, OUT)


def processor(client: Client) -> str:
    place = ctypes.create_string_buffer(64)
    client.ok("hsa_agent_get_info", client.gpu, "HSA_AGENT_INFO_NAME", ctypes.addressof(place))
    return place.value.decode()


def dispatch(
    kernel: int,
    arguments: int,
    completion: int,
    group: tuple[int, int, int],
    grid: tuple[int, int, int],
    shared: int = 0,
) -> bytes:
    dimensions = 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1
    head = struct.pack("<HHHHHHIII", 2, dimensions, *group, 0, *grid)
    return head + struct.pack("<IIQQQQ", 0, shared, kernel, arguments, 0, completion)


def run(client: Client, made: int, name: str, arguments: object, *sizes: object) -> int:
    """Dispatch a kernel and wait for it; return its completion signal."""
    done = signal(client, 1)
    place = ctypes.addressof(arguments)  # type: ignore[arg-type]
    packet = dispatch(kernel_object(client, name), place, done, *sizes)  # type: ignore[arg-type]
    submit(client, made, packet)
    assert 0 == value_within(client, done, 0, 0, SECOND * 10)
    return done


def pointers(*arrays: object) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * len(arrays))(*(ctypes.addressof(a) for a in arrays))  # type: ignore[arg-type]


def test_the_kernels_of_the_page_compute_what_they_say(client: Client) -> None:
    made, numbers = queue(client), ctypes.c_int32 * 200
    a, b, total = numbers(*range(200)), numbers(*range(1000, 1200)), numbers()
    run(client, made, "add", pointers(a, b, total), (64, 1, 1), (100, 2, 1))
    assert [x + y for x, y in zip(a, b, strict=True)] == list(total)
    sums = (ctypes.c_int32 * 4)()
    run(client, made, "sum", pointers(a, sums), (64, 1, 1), (200, 1, 1))
    assert [sum(range(i, min(i + 64, 200))) for i in range(0, 200, 64)] == list(sums)


@pytest.mark.parametrize(
    ("group", "grid"),
    [
        ((1, 1, 1), (1, 1, 1)),
        ((4, 1, 1), (10, 1, 1)),
        ((2, 3, 1), (5, 4, 1)),
        ((2, 2, 2), (3, 4, 5)),
    ],
)
def test_each_work_item_is_called_once_with_its_place(
    client: Client, group: tuple[int, int, int], grid: tuple[int, int, int]
) -> None:
    """Work-groups at the end of the grid are smaller where it is no multiple of theirs."""
    notes = (ctypes.c_uint32 * (2 + 13 * 1024))()
    run(client, queue(client), "note", pointers(notes), group, grid, 64)
    calls = [tuple(notes[2 + 13 * i : 15 + 13 * i]) for i in range(notes[0])]
    wanted = set()
    for item in product(*map(range, grid)):
        place = [i // g for i, g in zip(item, group, strict=True)]
        within = [i % g for i, g in zip(item, group, strict=True)]
        size = [min(g, n - p * g) for g, n, p in zip(group, grid, place, strict=True)]
        wanted.add((*item, *place, *within, *size, 64))
    assert (len(wanted), wanted) == (len(calls), set(calls))


def test_times_of_a_dispatch_are_recorded_while_they_are_asked_for(client: Client) -> None:
    made, times = queue(client), (ctypes.c_uint64 * 2)()
    notes = (ctypes.c_uint32 * (2 + 13 * 1024))()
    sizes = ((1, 1, 1), (8, 1, 1))
    done = run(client, made, "note", pointers(notes), *sizes)
    query = "hsa_amd_profiling_get_dispatch_time"
    assert "HSA_STATUS_ERROR" == client.call(query, client.gpu, done, ctypes.addressof(times))
    client.ok("hsa_amd_profiling_set_profiler_enabled", made, 1)
    before = timestamp()
    done = run(client, made, "note", pointers(notes), *sizes)
    client.ok(query, client.gpu, done, ctypes.addressof(times))
    in_order = [before, *times, timestamp()]
    assert sorted(in_order) == in_order


@pytest.mark.parametrize(
    ("name", "group", "grid", "status"),
    [
        ("unbound", (1, 1, 1), (1, 1, 1), "INVALID_CODE_OBJECT"),
        ("not frozen", (1, 1, 1), (1, 1, 1), "INVALID_CODE_OBJECT"),
        ("note", (4, 1, 1), (3, 1, 1), "INCOMPATIBLE_ARGUMENTS"),
        ("note", (4, 0, 1), (4, 1, 1), "INCOMPATIBLE_ARGUMENTS"),
        ("note", (2048, 1, 1), (2048, 1, 1), "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_launched_is_told_to_the_callback(
    client: Client, name: str, group: tuple[int, int, int], grid: tuple[int, int, int], status: str
) -> None:
    seen: list[int] = []
    told = threading.Event()

    def callback(found: int, source: int, data: int) -> None:
        seen.append(found)
        told.set()

    function = ctypes.CFUNCTYPE(None, ctypes.c_uint32, *[ctypes.c_uint64] * 2)(callback)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    frozen = name != "not frozen"
    kernel = kernel_object(client, name if frozen else "note", frozen=frozen)
    done = signal(client, 1)
    submit(client, queue(client, callback=address), dispatch(kernel, 0, done, group, grid))
    assert told.wait(5)
    assert [client.constants[f"HSA_STATUS_ERROR_{status}"]] == seen
    assert 1 == memory.load(done + 8, 8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kernels: {}", r":1: kernels: .*"),
        ("kernel: {}", r":1: the document: unknown key 'kernel'; the keys are summary, kernels"),
        ("kernels:\n  a.kd: {libary: b.so}", r":2: kernels.a.kd: unknown key 'libary'"),
        (
            "kernels:\n  a.kd: {library: b.so, once_per: wave}",
            r":2: kernels.a.kd.once_per: 'wave' is not one of \['work_item', 'work_group'\]",
        ),
        (
            "kernels:\n  a.kd:\n    library: none.so",
            r":3: kernels.a.kd.library: cannot be loaded: .*none.so: cannot open shared object",
        ),
        (
            "kernels:\n  a.kd:\n    library: kernels.so",
            r":2: kernels.a.kd.function: .*kernels.so has no function 'a'",
        ),
        ("[]", "expected a mapping"),
        ("kernels: [", "not YAML"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(folder: Path, text: str, message: str) -> None:
    path = folder / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(KernelsError, match=message) as raised:
        load_kernels(path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KernelsError, match=r"none.yaml: No such file or directory; name a file"):
        load_kernels(tmp_path / "none.yaml")
