"""Kernels on the reference: their code is executed, and what ends them is told to their queue."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hsa_device.decoding import decoder as the_decoder
from hsa_device.llvm import VARIABLE
from hsa_device.llvm.choosing import decoder_library
from hsa_reference import memory
from tests.library.reference.reference_client import Client
from tests.library.reference.test_reference_code import executable, reader, symbol
from tests.library.reference.test_reference_kernels import dispatch
from tests.library.reference.test_reference_queues import (
    OUT,
    SECOND,
    queue,
    signal,
    submit,
    value_within,
)
from tests.rocr.device.device_kernels import KERNELS, compile_kernels, lacking

_ALWAYS = 20 * SECOND
_FATAL = "HSA_STATUS_ERROR_FATAL"

pytestmark = pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_kernels(KERNELS, tmp_path_factory.mktemp("kernels")).read_bytes()


class Gpu:
    """A client with kernels that are loaded, and a queue.

    Args:
        content: the code object.
        machine: that is modelled.

    """

    def __init__(self, content: bytes, machine: str = "gfx90a") -> None:
        self.client = Client(machine)
        self.client.ok("hsa_init")
        self._executable = executable(self.client)
        with reader(self.client, content) as origin:
            arguments = (self._executable, self.client.gpu, origin, 0, 0)
            self.client.ok("hsa_executable_load_agent_code_object", *arguments)
        self.client.ok("hsa_executable_freeze", self._executable, 0)
        self.seen: list[int] = []
        self.told = threading.Event()
        self._function = ctypes.CFUNCTYPE(None, ctypes.c_uint32, *[ctypes.c_uint64] * 2)(self._tell)
        address = ctypes.cast(self._function, ctypes.c_void_p).value or 0
        self.queue = queue(self.client, callback=address)
        self._arguments: list[object] = []

    def _tell(self, status: int, source: int, data: int) -> None:
        self.seen.append(status)
        self.told.set()

    def kernel(self, name: str) -> int:
        asked = "HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT"
        found = symbol(self.client, self._executable, f"{name}.kd".encode(), self.client.gpu)
        return self.client.ok("hsa_executable_symbol_get_info", found, asked, OUT)

    def submit(self, name: str, *arguments: int, grid: int = 64, local: int = 0) -> int:
        """Dispatch a kernel in groups of 64, and return its completion signal."""
        given = (ctypes.c_uint64 * len(arguments))(*arguments)
        self._arguments.append(given)
        done = signal(self.client, 1)
        sizes = ((64, 1, 1), (grid, 1, 1))
        place = ctypes.addressof(given)
        submit(self.client, self.queue, dispatch(self.kernel(name), place, done, *sizes, local))
        return done

    def run(self, name: str, *arguments: int, grid: int = 64) -> None:
        done = self.submit(name, *arguments, grid=grid)
        assert 0 == value_within(self.client, done, 0, 0, _ALWAYS), self.seen

    def fails(self, name: str, *arguments: int, local: int = 0) -> str:
        """Return what the queue is told of a dispatch that ends before its time."""
        done = self.submit(name, *arguments, grid=128, local=local)
        assert self.told.wait(20)
        assert 1 == memory.load(done + 8, 8)
        return next(
            s for s, v in self.client.constants.items() if v == self.seen[-1] and "STATUS" in s
        )


@pytest.fixture
def gpu(content: bytes) -> Iterator[Gpu]:
    found = Gpu(content)
    yield found
    found.client.finish()


def address(array: NDArray[np.uint32]) -> int:
    return array.ctypes.data


def test_the_queue_says_where_kernels_see_lds(gpu: Gpu) -> None:
    """Its structure does, as amd_queue_t, for compilers that do not ask the GPU."""
    found = (ctypes.c_uint32 * 2)()
    gpu.run("aperture", ctypes.addressof(found))
    assert found[0] == found[1] != 0


def test_memory_of_the_program(gpu: Gpu) -> None:
    given, found = np.arange(640, dtype=np.uint32), np.zeros(640, np.uint32)
    gpu.run("vector_copy", address(given), address(found), grid=640)
    assert given.tolist() == found.tolist()


@pytest.mark.skipif(bool(lacking("gfx1100")), reason=lacking("gfx1100") or "-")
def test_kernels_of_another_family(tmp_path: Path) -> None:
    """One of waves of 32 work-items, with LDS and barriers among them."""
    gpu = Gpu(compile_kernels(KERNELS, tmp_path, "gfx1100").read_bytes(), "gfx1100")
    given, found = np.arange(640, dtype=np.uint32), np.zeros(640, np.uint32)
    gpu.run("vector_copy", address(given), address(found), grid=640)
    assert given.tolist() == found.tolist()
    gpu.run("generic_local", address(found), grid=64)
    assert [sum(3 * i * i for i in range(n)) for n in range(64)] == found[:64].tolist()
    gpu.client.finish()


def test_memory_that_the_host_has_no_access_to(gpu: Gpu) -> None:
    """The kernel finds it where the program names it; a copy brings it back."""
    client = gpu.client
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, 4096, 0, OUT)
    given, found = np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)
    gpu.run("vector_copy", address(given), there)
    client.ok("hsa_memory_copy", address(found), there, 256)
    assert given.tolist() == found.tolist()


def test_what_was_mapped_for_a_kernel_is_given_back(gpu: Gpu) -> None:
    client = gpu.client
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, 4096, 0, OUT)
    given = np.arange(64, dtype=np.uint32)
    counts = []
    for _ in range(6):
        gpu.run("vector_copy", address(given), there)
        counts.append(Path("/proc/self/maps").read_text().count("hsa-reference"))
    assert len(set(counts[1:])) == 1


def test_an_agent_without_access_faults(content: bytes) -> None:
    """Memory of another GPU is there once access is allowed."""
    gpu = Gpu(content, "gfx90a-2")
    client = gpu.client
    pool = client.pools(client.agents()[2])[0]
    there = client.ok("hsa_amd_memory_pool_allocate", pool, 4096, 0, OUT)
    given, allowed = np.arange(64, dtype=np.uint32), ctypes.c_uint64(client.gpu)
    first = gpu.queue
    assert "HSA_STATUS_ERROR_MEMORY_FAULT" == gpu.fails("vector_copy", address(given), there)
    client.ok("hsa_amd_agents_allow_access", 1, ctypes.addressof(allowed), 0, there)
    gpu.queue = queue(client)
    gpu.run("vector_copy", address(given), there)
    assert first != gpu.queue
    client.finish()


@pytest.mark.parametrize(
    ("name", "local", "status", "line"),
    [
        ("trap", 0, "HSA_STATUS_ERROR_EXCEPTION", r"kernel trap.kd: trap 2, in s_trap 2 at 0x"),
        ("wild_store", 0, "HSA_STATUS_ERROR_MEMORY_FAULT", r"kernel wild_store.kd: no memory that"),
        ("no_instruction", 0, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION", r"is no instruction, says"),
        ("not_executed", 0, _FATAL, r"not_executed.kd: the device does not execute s_sethalt"),
    ],
)
def test_what_ends_a_kernel_is_told_and_said(
    gpu: Gpu, name: str, local: int, status: str, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found = np.zeros(128, np.uint32)
    assert status == gpu.fails(name, address(found), local=local)
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("hsa_reference: kernel ")
    assert line in said.replace("\\", "")


def test_an_endless_kernel_ends_with_its_queue(gpu: Gpu) -> None:
    found = np.zeros(1, np.uint32)
    gpu.submit("endless", address(found))
    while not found[0]:
        time.sleep(0.01)
    gpu.client.ok("hsa_queue_destroy", gpu.queue)
    seen = int(found[0])
    time.sleep(0.05)
    assert (seen, []) == (int(found[0]), gpu.seen)


def test_a_kernel_waits_for_the_host(gpu: Gpu) -> None:
    word, found = np.zeros(1, np.uint32), np.zeros(64, np.uint32)
    done = gpu.submit("wait_for_host", address(word), address(found))
    assert 1 == value_within(gpu.client, done, 0, 0, SECOND // 10)
    word[0] = 7
    assert 0 == value_within(gpu.client, done, 0, 0, _ALWAYS)
    assert [7] * 64 == found.tolist()


def test_two_queues_wait_for_each_other(gpu: Gpu) -> None:
    """A kernel of one waits for a word that a kernel of the other writes."""
    first, word, found = gpu.queue, np.zeros(64, np.uint32), np.zeros(64, np.uint32)
    waiting = gpu.submit("wait_for_host", address(word), address(found))
    gpu.queue = queue(gpu.client)
    one = np.full(64, 3, np.uint32)
    gpu.run("vector_copy", address(one), address(word))
    assert 0 == value_within(gpu.client, waiting, 0, 0, _ALWAYS)
    assert [3] * 64 == found.tolist()
    gpu.queue = first


def test_without_llvm_a_line_says_what_to_install(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The dispatch is refused as that of a kernel that nobody runs, and the line comes once."""
    (tmp_path / "libLLVM-99.so").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "libLLVM-99.so"))
    the_decoder.cache_clear()
    decoder_library.cache_clear()
    try:
        status = gpu.fails("vector_copy", 0, 0)
    finally:
        the_decoder.cache_clear()
        decoder_library.cache_clear()
    assert "HSA_STATUS_ERROR_INVALID_CODE_OBJECT" == status
    said = capfd.readouterr().err
    assert said.startswith("hsa_reference: no kernel can run: nothing here decodes instructions of")
    assert said.count("\n") == 1
