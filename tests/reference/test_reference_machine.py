"""Machine files: those that come with the reference load, wrong ones say what is wrong where."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reference import MachineError, Runtime, load_machine
from hsa_reference.amd.pools.state import Pools
from hsa_reference.core.agents import Agents
from hsa_reference.machine_file import MACHINES
from tests.reference.reference_client import Client

CPU = """
summary: A machine.
agents:
  - name: cpu
    device: cpu
    pools:
      - {name: fine, segment: global, flags: [fine_grained], size: 1 MiB}
"""


@pytest.mark.parametrize("name", sorted(p.stem for p in MACHINES.glob("*.yaml")))
def test_every_machine_that_comes_along_runs(name: str) -> None:
    client = Client(name)
    client.ok("hsa_init")
    assert len(client.runtime.machine.agents) == len(client.agents())
    client.finish()


def test_the_default_machine_has_what_clauses_need() -> None:
    """Memory on request, memory out of reach, and a pool that nothing is allocated from."""
    state = Runtime(load_machine("two_gpus")).state
    cpu, first, second = state.part(Agents).by_handle
    pools = state.part(Pools)
    fine, _, local, group, _, far, *_ = pools.by_handle
    assert "default" == pools.access(first, fine)
    assert "on_request" == pools.access(first, far)
    assert "never" == pools.access(cpu, far)
    assert "never" == pools.access(second, group)
    assert (True, False) == (pools.by_handle[local].allocatable, pools.by_handle[group].allocatable)


def test_a_path_names_a_machine_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(CPU)
    machine = load_machine(path)
    assert ("mine", 2**20) == (machine.name, machine.agents[0].pools[0].size)


def test_the_environment_picks_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(CPU)
    monkeypatch.setenv("HSA_REFERENCE_MACHINE", str(path))
    assert "mine" == Runtime().machine.name
    monkeypatch.setenv("HSA_REFERENCE_MACHINE", "cpu")
    assert "cpu" == Runtime().machine.name


def test_an_unknown_machine_is_told_with_those_that_exist() -> None:
    with pytest.raises(MachineError, match=r"nowhere: No such file.* one of cpu, one_gpu, two_gpu"):
        load_machine("nowhere")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("summary: A machine.", "", "summary: missing; expected a text"),
        ("device: cpu", "device: dsp", r"agents\[0\].device: expected one of cpu, gpu, not 'dsp'"),
        ("device: cpu", "device: gpu", "agents: expected at least one agent whose device is cpu"),
        ("size: 1 MiB", "size: 1 MB", r"agents\[0\].pools\[0\].size: expected a number, or a size"),
        ("size: 1 MiB", "sise: 1", r"agents\[0\].pools\[0\].size: missing; expected a number"),
        ("size: 1 MiB", "size: -1", "expected a number, or a size such as '64 KiB', not -1"),
        ("size: 1 MiB", "size: 1 MiB, colour: red", r"pools\[0\].colour: there is no such key"),
        ("size: 1 MiB", "size: 1 MiB, granule: 5000", "granule: expected a power of two of at le"),
        ("[fine_grained]", "[fine]", "flags: 'fine' is none of kernarg_init, fine_grained"),
        ("segment: global", "segment: [1]", "segment: expected one of global, readonly"),
        ("agents:", "exhausted: [luck]\nagents:", "exhausted: 'luck' is none of descriptors, mem"),
        ("agents:", "references: many\nagents:", "references: expected a number"),
        ("agents:", "attributes: {A: 1}\nagents:", "attributes.A: expected an attribute of hsa_s"),
        (
            "agents:",
            "attributes: {HSA_SYSTEM_INFO_ENDIANNESS: big}\nagents:",
            "attributes: HSA_SYSTEM_INFO_ENDIANNESS: 'big' is no hsa_endianness_t",
        ),
        (
            "agents:",
            "access: [{access: default, agents: [cpu], pools: [cpu/fine]}]\nagents:",
            r"access\[0\].pools: the access of cpu to cpu/fine is already decided",
        ),
        ("    pools:", "    pools: 3\n    pool:", r"agents\[0\].pools: expected a list, not 3"),
        (CPU, "- 1", "expected a mapping, not"),
        (CPU, "a: [", "not YAML"),
    ],
)
def test_a_wrong_file_says_where_and_what_was_expected(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(CPU.replace(old, new))
    with pytest.raises(MachineError, match=rf"{path}: .*{message}"):
        Runtime(load_machine(path))
