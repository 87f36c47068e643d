"""Programs compute the same on the host and on the device, bit by bit."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.rocr.device import c_programs
from tests.rocr.device.c_programs import INPUTS, OUTPUTS
from tests.rocr.device.device_kernels import LoadedKernels, compile_kernels, lacking, pointers

_ITEMS = 200
#: How many programs of each level; HSA_TEST_DEVICE_PROGRAMS asks for another number.
_COUNT = int(os.environ.get("HSA_TEST_DEVICE_PROGRAMS", "12"))
_SEED = int(os.environ.get("HSA_TEST_DEVICE_SEED", "1"))
_AT_A_TIME = 25
_SCRATCH = 65536  # bytes of a work-item: calls are on a stack whose size is not known
_HOST = """
#define DEVICE static
#define IN const u64 *
#define OUT u64 *
"""
_DEVICE = """
#define DEVICE static
#define IN const __attribute__((address_space(1))) u64 *
#define OUT __attribute__((address_space(1))) u64 *
"""
_LOOP = "void entry_{0}(const u64 *in, u64 *out, u64 n) {{ for (u64 i = 0; i < n; i++) "
_LOOP += "program_{0}(in + i * {1}, out + i * {2}); }}"
_KERNEL = "__attribute__((amdgpu_kernel)) void entry_{0}(IN in, OUT out, u64 n) {{ "
_KERNEL += "u64 i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x(); "
_KERNEL += "if (i < n) program_{0}(in + i * {1}, out + i * {2}); }}"
_EDGES = (
    *(0, 1, 2**31, 2**63, 2**32 - 1, 2**64 - 1, 0x7F800000, 0x7FF << 52, 0x3FF << 52),
    *(0x3F800000, 0x4010000000000000, 0x40490FDB, 0x8000000000000001),
)


def inputs(seed: int) -> NDArray[np.uint64]:
    """Return numbers of all sizes, and edges."""
    chance = np.random.default_rng(seed)
    shape = (_ITEMS, INPUTS)
    found = chance.integers(0, 2**64, shape, dtype=np.uint64)
    for share, other in (
        (0.3, chance.choice(np.array(_EDGES, np.uint64), shape)),
        (0.2, found & np.uint64(0xFF)),
        (0.3, (chance.standard_normal(shape) * 1000).view(np.uint64)),
        (0.2, (chance.standard_normal(shape) * 9).astype(np.float32).view(np.uint32)),
    ):
        found = np.where(chance.random(shape) < share, other, found)
    return found.astype(np.uint64)


def host_library(source: str, folder: Path) -> ctypes.CDLL:
    path = folder / "host.c"
    path.write_text(source)
    command = ["cc", "-w", "-O1", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"]
    command += ["-shared", "-fPIC", "-o", str(folder / "host.so"), str(path), "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "host.so"))


@pytest.mark.parametrize(
    ("processor", "level", "version"),
    [
        *(("gfx90a", 0, ""), ("gfx90a", 1, ""), ("gfx90a", 3, ""), ("gfx942", 2, "")),
        *(("gfx1100", 0, "15"), ("gfx1100", 1, "19"), ("gfx1100", 2, "15"), ("gfx1100", 3, "19")),
    ],
)
@pytest.mark.parametrize("first", range(0, _COUNT, _AT_A_TIME))
def test_drawn_programs(
    processor: str, level: int, version: str, first: int, tmp_path: Path
) -> None:
    if lacking(processor, version):
        pytest.skip(lacking(processor, version))
    seed, count = _SEED * 1000 + first * 4 + level, min(_AT_A_TIME, _COUNT - first)
    functions = "\n".join(c_programs.draw(seed, count))
    entries = [
        "\n".join(entry.format(n, INPUTS, OUTPUTS) for n in range(count))
        for entry in (_LOOP, _KERNEL)
    ]
    host = host_library(f"{c_programs.COMMON}{_HOST}{functions}\n{entries[0]}", tmp_path)
    source = f"{c_programs.COMMON}{_DEVICE}{functions}\n{entries[1]}"
    code = compile_kernels(source, tmp_path, processor, level, version=version)
    given = inputs(seed)
    wanted, found = (np.zeros((_ITEMS, OUTPUTS), np.uint64) for _ in range(2))
    loaded = LoadedKernels(code.read_bytes(), [given, found])
    grid = -(-_ITEMS // 64) * 64
    for number in range(count):
        getattr(host, f"entry_{number}")(
            *(ctypes.c_uint64(v) for v in (given.ctypes.data, wanted.ctypes.data, _ITEMS))
        )
        arguments = pointers(given, found, _ITEMS)
        loaded.run(f"entry_{number}", arguments, (grid,), (64,), private=_SCRATCH)
        wrong = np.argwhere(wanted != found)
        assert not len(wrong), f"program {number} of seed {seed}, item and output {wrong[0]}"
