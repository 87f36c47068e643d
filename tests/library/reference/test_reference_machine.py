"""Machines as the reference models them; files with wrong runtimes say what is wrong where."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from hsa_conformance.code_objects import TARGETS, Code, Kernel, build
from hsa_reference import Runtime, load_machine
from hsa_reference.amd.pools.state import Pools
from hsa_reference.amdgpu.target import Target
from hsa_reference.core.agents import Agents
from hsa_reference.core.isas import Isas
from hsa_reference.machine import Machine
from hsa_spec.machines import MachineError, machine_names
from tests.library.reference.reference_client import Client

MACHINE = """\
summary: A machine.
cpus:
  - {memory: 1 MiB}
gpus: []
runtime:
  agents:
    cpu:
      attributes: {}
      pools:
        - {name: fine, segment: global, flags: [fine_grained], size: 1 MiB}
"""
UNTOUCHED = 0xAAAAAAAA
SUCCESS = "HSA_STATUS_SUCCESS"
INVALID = "HSA_STATUS_ERROR_INVALID_ARGUMENT"
INCOMPATIBLE = "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS"


def with_a_gpu(folder: Path, runtime: str) -> Machine:
    """Return a machine with a GPU, whose file ends with what it says of the runtime."""
    path = folder / "machine.yaml"
    path.write_text(
        "summary: A GPU.\ncpus:\n  - {memory: 1 MiB}\n"
        f"gpus:\n  - {{target: gfx90a, memory: 1 MiB}}\n{runtime}\n"
    )
    return load_machine(path)


@pytest.mark.parametrize("name", machine_names())
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
    fine, _, local, group, _, _, far, *_ = pools.by_handle
    assert "default" == pools.access(first, fine)
    assert "on_request" == pools.access(first, far)
    assert "never" == pools.access(cpu, far)
    assert "never" == pools.access(second, group)
    assert (True, False) == (pools.by_handle[local].allocatable, pools.by_handle[group].allocatable)


def test_gpus_without_links_do_not_reach_each_other(tmp_path: Path) -> None:
    path = tmp_path / "apart.yaml"
    path.write_text(
        "summary: Two GPUs apart.\ncpus:\n  - {memory: 1 MiB}\n"
        "gpus:\n  - {target: gfx90a, memory: 1 MiB, count: 2}\n"
    )
    state = Runtime(load_machine(path)).state
    _, first, _ = state.part(Agents).by_handle
    pools = state.part(Pools)
    assert "never" == pools.access(first, list(pools.by_handle)[6])


def test_a_path_names_a_machine_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MACHINE)
    machine = load_machine(path)
    assert ("mine", 2**20) == (machine.name, machine.agents[0].pools[0].size)


def test_the_environment_picks_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(MACHINE)
    monkeypatch.setenv("HSA_REFERENCE_MACHINE", str(path))
    assert "mine" == Runtime().machine.name
    monkeypatch.setenv("HSA_REFERENCE_MACHINE", "cpu")
    assert "cpu" == Runtime().machine.name


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fine_grained]", "fine_grained], granule: 5000", "10: .*granule: expected a power of two"),
        (
            "fine_grained]",
            "fine_grained], max_size: 1024 GiB",
            "10: .*max_size: expected at most [0-9]+, the pool's size, not 1099511627776",
        ),
        ("[fine_grained]", "[fine]", "10: .*flags: 'fine' is none of kernarg_init, fine_grained"),
        ("segment: global", "segment: vast", "10: .*segment: 'vast' is none of global, readonly"),
        ("  agents:", "  exhausted: [luck]\n  agents:", "6: .*'luck' is none of .*memory"),
        ("  agents:", "  attributes: {A: 1}\n  agents:", "6: .*expected an attribute of hsa_sys"),
        (
            "  agents:",
            "  attributes: {HSA_SYSTEM_INFO_ENDIANNESS: big}\n  agents:",
            "6: .*HSA_SYSTEM_INFO_ENDIANNESS: 'big' is no hsa_endianness_t",
        ),
        ("attributes: {}", "attributes: {B: 1}", "8: .*expected an attribute of hsa_agent_info_t"),
    ],
)
def test_a_wrong_runtime_says_where_and_what_was_expected(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(MACHINE.replace(old, new))
    with pytest.raises(MachineError, match=rf"{path}:{message}"):
        Runtime(load_machine(path))


@pytest.mark.parametrize(
    ("named", "first"),
    [
        ("", "AMD:amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
        ("runtime: {isa_names: hsa}", "AMD:amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
        ("runtime: {isa_names: llvm}", "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"),
    ],
)
def test_the_file_says_how_instruction_set_architectures_are_named(
    tmp_path: Path, named: str, first: str
) -> None:
    state = Runtime(with_a_gpu(tmp_path, named)).state
    gpu = list(state.part(Agents).by_handle)[1]
    isas = state.part(Isas)
    other = isas.of_code(Target("gfx1100"))
    assert first == isas.by_handle[isas.of(gpu)[0]].name
    assert first.replace("gfx90a:sramecc+:xnack-", "gfx1100") == other.name


@pytest.mark.parametrize(
    ("limits", "first", "rest"),
    [
        ("", 2048, 2048),
        ("runtime: {image_limits: size_t}", 2048, 2048),
        ("runtime: {image_limits: uint32_t}", 2048 << 32 | 2048, UNTOUCHED << 32 | 2048),
    ],
)
@pytest.mark.parametrize("query", ["hsa_agent_get_info", "hsa_amd_image_get_info_max_dim"])
def test_the_file_says_how_wide_limits_of_images_are(
    tmp_path: Path, query: str, limits: str, first: int, rest: int
) -> None:
    client = Client(with_a_gpu(tmp_path, limits))
    client.ok("hsa_init")
    value = (ctypes.c_uint64 * 3)(*[UNTOUCHED << 32 | UNTOUCHED] * 3)
    limit = "HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS"
    client.ok(query, client.agents()[1], limit, ctypes.addressof(value))
    assert [first, rest] == value[:2]
    client.finish()


@pytest.mark.parametrize(
    ("modes", "default", "other"),
    [
        ("", INVALID, INCOMPATIBLE),
        ("runtime: {rounding: hsa}", INVALID, INCOMPATIBLE),
        ("runtime: {rounding: any}", SUCCESS, SUCCESS),
    ],
)
def test_the_file_says_which_rounding_modes_executables_take(
    tmp_path: Path, modes: str, default: str, other: str
) -> None:
    client = Client(with_a_gpu(tmp_path, modes))
    client.ok("hsa_init")
    code = build(Code(TARGETS["gfx90a"], (Kernel("kernel"),)))  # which rounds to the nearest
    buffer = ctypes.create_string_buffer(code, len(code))
    reader = client.ok(
        "hsa_code_object_reader_create_from_memory", ctypes.addressof(buffer), len(code), Client.OUT
    )
    create, prefix = "hsa_executable_create_alt", "HSA_DEFAULT_FLOAT_ROUNDING_MODE_"
    zero = client.ok(create, 0, f"{prefix}ZERO", 0, Client.OUT)
    gpu = client.agents()[1]

    assert (default, INVALID, other) == (
        client.call(create, 0, f"{prefix}DEFAULT", 0, Client.OUT),
        client.call(create, 0, 3, 0, Client.OUT),
        client.call("hsa_executable_load_agent_code_object", zero, gpu, reader, 0, 0),
    )
    client.finish()
