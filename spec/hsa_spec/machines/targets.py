"""What the architecture of a GPU fixes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hsa_spec.machines.sizes import in_bytes
from hsa_spec.yaml_file import read_yaml


@dataclass(frozen=True)
class Cache:
    """A cache of a processor; its level counts from 1, its size is in bytes."""

    level: int
    size: int


@dataclass(frozen=True)
class Target:
    """One architecture.

    Attributes:
        name: such as "gfx90a".
        rocm: the first ROCm release that supports it.
        integrated: whether it is a part of a processor, and its memory of the host's.
        generic: the name of the family whose code it runs, too; empty where there is none.
        features: what code for it may be built with or without.
        version: its number in the driver's topology: major times 10000, minor times 100, stepping.
        device: PCI device id of one product.
        family: family id in the driver's user interface.
        wavefront: lanes of a wavefront.
        compute_units: how many, over all dies.
        dies: compute dies that act as one device.
        simds: vector units of a compute unit.
        waves: wavefronts of a vector unit.
        engines: shader engines of a die.
        arrays: shader arrays of a shader engine.
        sdma: copy engines, then those for links between GPUs.
        caches: from the first level on.
        lines: bytes of a line of each of them.

    """

    name: str
    rocm: str
    features: tuple[str, ...]
    version: int
    device: int
    family: int
    wavefront: int
    compute_units: int
    dies: int
    simds: int
    waves: int
    engines: int
    arrays: int
    sdma: tuple[int, int]
    caches: tuple[Cache, ...]
    lines: tuple[int, ...]
    integrated: bool = False
    generic: str = ""


_FILE = Path(__file__).with_name("targets.yaml")


@cache
def targets() -> Mapping[str, Target]:
    """Return the architectures that are known, by name."""
    return {name: _target(name, data) for name, data in read_yaml(_FILE).items()}


def _target(name: str, data: Mapping[str, Any]) -> Target:
    lists = {key: tuple(data.get(key, ())) for key in ("features", "sdma", "lines")}
    return Target(name, **{**data, **lists, "caches": caches(data["caches"])})


def caches(sizes: Iterable[str | int]) -> tuple[Cache, ...]:
    """Return the caches of a processor, whose sizes are given from the first level on."""
    return tuple(Cache(level, in_bytes(size)) for level, size in enumerate(sizes, 1))
