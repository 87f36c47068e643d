"""Compiles kernels, loads them into memory of this process, and dispatches them on the device."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_device import (
    CodeObject,
    DecoderError,
    Device,
    Dispatch,
    Fidelity,
    Machine,
    Memory,
    Range,
    decoder,
    read_code_object,
)

Size = tuple[int, ...]
_PAGE = 4096

#: What each kernel's source begins with.
PRELUDE = """
typedef unsigned char u8; typedef unsigned short u16; typedef int i32; typedef unsigned int u32;
typedef unsigned long u64; typedef long i64; typedef float f32; typedef double f64;
#define KERNEL __attribute__((amdgpu_kernel)) void
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define SHARED static LOCAL __attribute__((loader_uninitialized))
#define CONSTANT __attribute__((address_space(4)))
#define ITEM __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
static inline u32 group_size(void)
{ return ((const CONSTANT u16 *)__builtin_amdgcn_dispatch_ptr())[2]; }
#define INDEX (GROUP * group_size() + ITEM)
static inline void barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
"""

#: Source of the kernels that tests of the device, the driver and the reference dispatch.
KERNELS = PRELUDE + Path(__file__).with_name("kernels.c").read_text()


@cache
def clang(processor: str, version: str = "") -> str | None:
    """Return a compiler for a processor with a linker beside it, None where there is none.

    Args:
        processor: that it compiles for.
        version: of the compiler; where none is said, 15 and 19 are tried, which Debian 12 has and
            the device is tested with.

    """
    versions = [version] if version else ["19"] if processor == "gfx942" else ["15", "19"]
    found = (f"clang-{v}" for v in versions if shutil.which(f"clang-{v}") and _linker(v))
    return next(found, None)


def _linker(version: str) -> bool:
    return Path(f"/usr/lib/llvm-{version}/bin/ld.lld").exists()


@cache
def lacking(processor: str, version: str = "") -> str:
    """Return why kernels cannot be compiled and executed here, "" where they can."""
    if clang(processor, version) is None:
        return f"needs clang and lld for {processor} (Debian: clang-15 lld-15, clang-19 lld-19)"
    try:
        decoder(processor)
    except DecoderError as error:
        return str(error)
    return "" if shutil.which("cc") else "needs a C compiler"


def compile_kernels(
    source: str,
    folder: Path,
    processor: str = "gfx90a",
    level: int = 2,
    *options: str,
    version: str = "",
) -> Path:
    """Return a code object.

    Args:
        source: C, after PRELUDE.
        folder: where it goes.
        processor: that it is for.
        level: of optimisation.
        options: others of the compiler.
        version: of the compiler, "" for any.

    """
    path = folder / f"kernels-{processor}-{level}{version}"
    path.with_suffix(".c").write_text(source)
    compiler = clang(processor, version)
    assert compiler is not None
    command = [compiler, "-x", "c", "-target", "amdgcn-amd-amdhsa", f"-mcpu={processor}"]
    command += ["-nogpulib", f"-O{level}", "-ffp-contract=off", "-fwrapv", "-w", *options]
    command += ["-fvisibility=protected"]
    command += ["-fno-strict-aliasing", "-o", str(path), str(path.with_suffix(".c"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return path


class LoadedKernels:
    """A code object in memory of this process, and arrays beside it.

    Args:
        content: the code object.
        arrays: what kernels reach, beside their code and arguments.
        compute_units: of the machine.

    Attributes:
        interrupts: the numbers that waves have interrupted the host with.

    """

    def __init__(
        self, content: bytes, arrays: Sequence[NDArray[Any]] = (), compute_units: int = 104
    ) -> None:
        self.code: CodeObject = read_code_object(content)
        end = max(s.address + s.size for s in self.code.segments)
        self._room = np.zeros(end + 2 * _PAGE, np.uint8)
        self._base = -(-self._room.ctypes.data // _PAGE) * _PAGE
        held = self._room[self._base - self._room.ctypes.data :]
        for each in self.code.segments:
            held[each.address : each.address + len(each.content)] = np.frombuffer(
                each.content, np.uint8
            )
        self._packet = np.zeros(64, np.uint8)
        self._arguments = np.zeros(4096, np.uint8)
        self._arrays = [self._packet, self._arguments, *arrays]
        self._code = Range(self._base, held[: len(held) // 8 * 8])
        self.memory = Memory(self._ranges)
        self.interrupts: list[int] = []
        machine = Machine(self.code.processor, compute_units)
        self._device = Device(machine, self.memory, None, self.interrupts.append)

    def add(self, array: NDArray[Any]) -> None:
        """Let kernels reach one more array."""
        self._arrays.append(array)

    def _ranges(self) -> Sequence[Range]:
        octets = [each.reshape(-1).view(np.uint8) for each in self._arrays]
        return [self._code, *(Range(each.ctypes.data, each) for each in octets)]

    def run(
        self,
        name: str,
        arguments: bytes,
        grid: Size,
        group: Size,
        *,
        local: int = 0,
        private: int = 0,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Fidelity:
        """Dispatch a kernel; sizes in further dimensions are 1."""
        self._arguments[: len(arguments)] = np.frombuffer(arguments, np.uint8)
        whole = [_three(size) for size in (group, grid)]
        kernel = self._base + self.code.kernels[name]
        place = self._arguments.ctypes.data
        packet = struct.pack(
            "<HHHHHHIIIIIQQQQ",
            *(2, len(grid), *whole[0], 0, *whole[1], private, local, kernel, place, 0, 0),
        )
        self._packet[:] = np.frombuffer(packet, np.uint8)
        dispatch = Dispatch(
            kernel, whole[0], whole[1], place, local, private, self._packet.ctypes.data
        )
        return self._device.run(dispatch, stopped)


def scratch_sums(items: int) -> list[int]:
    """Return what the kernel `scratch` finds for each work-item of a work-group."""
    sums = []
    for item in range(items):
        values = [0] * 32
        for i in range(32):
            values[(i * 7 + item) & 31] = i ^ item
        sums.append(sum(i * v for i, v in enumerate(values)))
    return sums


def _three(size: Size) -> tuple[int, int, int]:
    x, y, z = (*size, 1, 1)[:3]
    return x, y, z


def pointers(*values: NDArray[Any] | int) -> bytes:
    """Return arguments of 64 bits: addresses of arrays, and numbers."""
    given = [v if isinstance(v, int) else v.ctypes.data for v in values]
    return struct.pack(f"<{len(given)}Q", *given)
