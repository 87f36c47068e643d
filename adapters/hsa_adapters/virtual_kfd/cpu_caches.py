"""The caches of a CPU, as the kernel tells them of each of its processors."""

from __future__ import annotations

import os
from pathlib import Path

from hsa_adapters.virtual_kfd.random_facts import RandomFacts
from hsa_spec.machines import Cpu

#: The kernel numbers nodes of CPUs alike here and in the driver's topology.
NODES = "sys/devices/system/node"
_LINE = 64


def processors(cpus: int) -> list[list[int]]:
    """Return the processors of each CPU: those of the machine below, in turn.

    A runtime asks the kernel itself how many there are, so there can be no others.
    """
    there = range(os.cpu_count() or 1)
    return [list(there[index::cpus]) for index in range(cpus)]


def write_caches(cpu: Cpu, node: int, numbers: list[int], drawn: RandomFacts, root: Path) -> None:
    """Write the files about the caches of one CPU below a machine's root.

    Args:
        cpu: whose caches.
        node: its number.
        numbers: its processors.
        drawn: what the machine's file leaves open.
        root: the machine's folder.

    """
    for number in numbers:
        folder = root / NODES / f"node{node}" / f"cpu{number}" / "cache"
        for index, (level, kind, size) in enumerate(_kinds(cpu)):
            # A core has the first two levels for itself; all that are behind them are shared.
            sharing = [number] if level < 3 else numbers
            facts = {
                "level": level,
                "type": kind,
                "size": f"{size >> 10}K",
                "coherency_line_size": _LINE,
                "ways_of_associativity": drawn.association(f"cpu {node} {level}"),
                "physical_line_partition": 1,
                "shared_cpu_list": ",".join(map(str, sharing)),
                "shared_cpu_map": _mask(sharing),
            }
            place = folder / f"index{index}"
            place.mkdir(parents=True, exist_ok=True)
            for name, value in facts.items():
                (place / name).write_text(f"{value}\n", encoding="ascii")


def _kinds(cpu: Cpu) -> list[tuple[int, str, int]]:
    """Return level, type and size of each cache; code has a cache of its own on the first level."""
    kinds = []
    for cache in cpu.caches:
        kinds.append((cache.level, "Data" if cache.level == 1 else "Unified", cache.size))
        if cache.level == 1:
            kinds.append((1, "Instruction", cache.size))
    return kinds


def _mask(numbers: list[int]) -> str:
    """Return processors as a mask, in hexadecimal words of 32 bits."""
    bits = sum(1 << number for number in numbers)
    words: list[str] = []
    while bits or not words:
        words.append(f"{bits & 0xFFFFFFFF:08x}")
        bits >>= 32
    return ",".join(reversed(words))
