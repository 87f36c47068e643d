"""Debian's rocminfo, old and new, prints the machine that the reference models."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hsa_adapters.virtual_kfd import VirtualKfdError, prepare
from hsa_spec.machines import Cpu, Gpu, Machine, load_machine
from tests.library.clients.debian import System, unpacked
from tests.samples import sample

MACHINE = "gfx90a-2"
pytestmark = pytest.mark.network


@dataclass(frozen=True)
class Agent:
    """What is printed of an agent; sizes are in KiB.

    Args:
        device: "CPU" or "GPU".
        name: its name.
        caches: their sizes, by level.
        memory: the sizes of its pools of global memory.
        units: its compute units, and the work-items of a wavefront, of GPUs alone.
        isas: the names of its instruction set architectures.

    """

    device: str
    name: str
    caches: Sequence[tuple[int, int]]
    memory: Sequence[int]
    units: tuple[int, int] | None
    isas: Sequence[str]


@pytest.fixture(scope="module", params=sample(["bookworm", "trixie", "sid"], 1))
def system(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> System:
    """A suite's rocminfo."""
    return unpacked(request.param, ["rocminfo"], tmp_path_factory.mktemp("rocminfo"))


@pytest.fixture
def driver(tmp_path: Path) -> Mapping[str, str]:
    """Variables with which rocminfo finds the driver that it asks for before it starts.

    The files of the imitation are there, and none of its devices; the oldest one asks `lsmod`.
    """
    command = tmp_path / "bin" / "lsmod"
    command.parent.mkdir()
    command.write_text("#!/bin/sh\necho amdgpu 1 0\n", encoding="utf-8")
    command.chmod(0o755)
    try:
        kfd = prepare(load_machine(MACHINE), tmp_path / "machine")
    except VirtualKfdError as error:
        pytest.skip(str(error))
    path = f"{command.parent}:{os.environ['PATH']}"
    return {**kfd.environment(paths_only=True), "PATH": path, "HSA_REFERENCE_MACHINE": MACHINE}


def test_rocminfo_prints_the_machine_of_the_file(
    system: System, library: Path, driver: Mapping[str, str]
) -> None:
    done = system.run("usr/bin/rocminfo", library, driver)

    assert (0, list(described(load_machine(MACHINE)))) == (
        done.returncode,
        list(printed(done.stdout)),
    )


def described(machine: Machine) -> Iterator[Agent]:
    """Yield what the file of a machine says of its agents."""
    for agent in machine.agents:
        caches = [(cache.level, cache.size >> 10) for cache in agent.caches]
        if isinstance(agent, Cpu):
            sizes = [agent.memory >> 10] * 2  # fine-grained, and coarse-grained
            yield Agent("CPU", "Reference CPU", caches, sizes, None, [])
        else:
            target = agent.target
            yield Agent(
                *("GPU", target.name, caches, [agent.memory >> 10]),
                (target.compute_units, target.wavefront),
                [f"AMD:amdgcn-amd-amdhsa--{target.name}{settings(machine, agent)}"],
            )


def settings(machine: Machine, gpu: Gpu) -> str:
    on = {"sramecc": True, "xnack": machine.xnack}
    return "".join(f":{name}{'+' if on[name] else '-'}" for name in gpu.target.features)


def printed(text: str) -> Iterator[Agent]:
    """Yield what rocminfo prints of agents."""
    for part in re.split(r"^Agent \d+ *$", text, flags=re.MULTILINE)[1:]:
        device = _first(r"Device Type: +(\w+)", part)
        pools, _, isas = part.partition("ISA Info:")
        yield Agent(
            device,
            _first(r"Name: +(.*?) *$", part),
            [(int(a), int(b)) for a, b in re.findall(r"L(\d): +(\d+)\(", part)],
            [int(size) for size in re.findall(r"GLOBAL;.*\n +Size: +(\d+)\(", pools)],
            (
                int(_first(r"Compute Unit: +(\d+)", part)),
                int(_first(r"Wavefront Size: +(\d+)", part)),
            )
            if device == "GPU"
            else None,
            # hsa.h counts no NUL in a name, and rocminfo prints whatever follows it.
            re.findall(r"^ +Name: +(\S+[+-])", isas, re.MULTILINE),
        )


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None, pattern
    return found[1]
