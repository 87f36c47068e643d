"""Measures how long kernels take that the device executes: `python -m benchmarks.kernels`."""

from __future__ import annotations

import ctypes.util
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from hsa_adapters.virtual_kfd import load_machine, prepare, started
from hsa_reference import implemented
from hsa_reference.library import build
from hsa_spec import load
from tests.rocr.device.device_kernels import (
    PRELUDE,
    LoadedKernels,
    compile_kernels,
    lacking,
    pointers,
)
from tests.rocr.device.vector_copy import follow

_ITEMS = 1 << 20
_ROUNDS = 32
_UNIFORM = f"""
KERNEL uniform(const GLOBAL u32 *in, GLOBAL u32 *out)
{{
    u32 a = in[INDEX], b = a ^ 0x9e3779b9;
    for (u32 i = 0; i < {_ROUNDS}; i++) {{
        a += b << 3;
        b ^= a >> 5;
        a *= b | 1;
    }}
    out[INDEX] = a + b;
}}
KERNEL vector_copy(const GLOBAL u32 *in, GLOBAL u32 *out) {{ out[INDEX] = in[INDEX]; }}
"""
_OPERATIONS = 7  # of a round: add and shift are one instruction or two, and the loop has its own


def report(what: str, value: float, unit: str, target: str) -> None:
    print(f"{what:<58} {value:9.3f} {unit:<12} target {target}", flush=True)


def processor_time(measured: Callable[[], object]) -> tuple[float, float]:
    """Return wall time and processor time of this process and its children, in seconds."""

    def used() -> float:
        found = (
            resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        return sum(each.ru_utime + each.ru_stime for each in found)

    before, start = used(), time.perf_counter()
    measured()
    return time.perf_counter() - start, used() - before


def both(what: str, measured: Callable[[], object], target: str, times: int = 5) -> float:
    """Report the median of wall and of processor time, and return the former."""
    found = [processor_time(measured) for _ in range(times)]
    wall, processor = (statistics.median(each[n] for each in found) for n in (0, 1))
    report(f"{what}, wall time", wall, "s", target)
    report(f"{what}, processor time", processor, "s", "-")
    return float(wall)


def device(folder: Path) -> None:
    given, found = np.arange(_ITEMS, dtype=np.uint32), np.zeros(_ITEMS, np.uint32)
    for level in (2, 0):
        code = compile_kernels(PRELUDE + _UNIFORM, folder, "gfx90a", level).read_bytes()
        loaded = LoadedKernels(code, [given, found])
        arguments = pointers(given, found)

        items = _ITEMS if level else _ITEMS // 16

        def copy(
            loaded: LoadedKernels = loaded, items: int = items, given: bytes = arguments
        ) -> None:
            loaded.run("vector_copy", given, (items,), (256,))

        copy()
        both(f"a copy of {items} words, -O{level}", copy, "-", 3)
        if level:
            seconds = both(
                f"{_ROUNDS} rounds of {_OPERATIONS} operations, a million items",
                lambda: loaded.run("uniform", arguments, (_ITEMS,), (256,)),  # noqa: B023
                "-",
                3,
            )
            operations = _ITEMS * _ROUNDS * _OPERATIONS / seconds / 1e6
            report("uniform code", operations, "million/s", "50")
            wave = lambda: loaded.run("vector_copy", arguments, (64,), (64,))  # noqa: B023, E731
            both("a dispatch of one wave", wave, "0.005", 50)


def tutorial(folder: Path) -> None:
    library = build(folder / "reference", implemented(load()))
    program = follow(folder, library)
    reference = {"HSA_REFERENCE_MACHINE": "gfx90a", "LD_LIBRARY_PATH": str(library.parent)}

    def run(variables: Mapping[str, str]) -> None:
        subprocess.run(
            [program, "vector_copy.hsaco"],
            cwd=folder,
            check=True,
            capture_output=True,
            env={**os.environ, **variables},
        )

    run(reference)
    what = "vector_copy of a million words, the whole program"
    both(what, lambda: run(reference), "2")
    if ctypes.util.find_library("hsa-runtime64"):
        kfd = prepare(load_machine("gfx90a-kernels"), folder / "machine")
        with started(kfd):
            run(kfd.environment())
            both(f"{what}, on ROCr", lambda: run(kfd.environment()), "2")


def main() -> None:
    if lacking("gfx90a"):
        raise SystemExit(lacking("gfx90a"))
    with tempfile.TemporaryDirectory() as folder:
        device(Path(folder))
        tutorial(Path(folder))


if __name__ == "__main__":
    main()
