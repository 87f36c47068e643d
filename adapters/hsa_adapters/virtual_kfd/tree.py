"""The files of /sys, /dev and /proc that describe an imitated machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from hsa_adapters.virtual_kfd.cpu_caches import processors, write_caches
from hsa_adapters.virtual_kfd.links import Link, Links
from hsa_adapters.virtual_kfd.random_facts import CpuFacts, GpuFacts, RandomFacts
from hsa_spec.machines import Gpu, Machine

TOPOLOGY = "sys/devices/virtual/kfd/kfd/topology"
FIRST_RENDER_NODE = 128  # the third kind of 64 minors, in the kernel's drivers/gpu/drm/drm_drv.c
_FIRST_GPU_ID = 51001
_AMD = 0x1002  # its number in PCI, in the kernel's linux/pci_ids.h
# What follows is in the kernel's linux/kfd_sysfs.h: kinds of heaps and of caches.
_SYSTEM, _PUBLIC, _PRIVATE = 0, 1, 2
_DATA_OF_DEVICE = 1 << 0 | 1 << 3
_GWS = 64  # barriers at which the waves of a whole device can meet

# Bits of a node's capabilities in the topology, HSA_CAP_* there.
_DOORBELLS_OF_64_BITS = 2 << 12
_WATCH_POINTS = 1 << 7 | 2 << 8
_DEBUG_TRAP = 1 << 15 | 1 << 16 | 1 << 17
_SVM = 1 << 27
_COHERENT_HOST_ACCESS = 1 << 28
_DEBUG_FIRMWARE = 1 << 29
_REVISION = 22  # the first of four

# What another GPU of the same architecture may have instead.
_OTHER_GPU = {
    "max_slots_scratch_cu": 16,
    "device_id": 0x7408,
    "num_sdma_queues_per_engine": 2,
    "num_cp_queues": 8,
    "unique_id": 0,
}

Properties = Mapping[str, int | str]


def gpu_id(index: int) -> int:
    """Return the driver's number for a GPU."""
    return _FIRST_GPU_ID + index


def write_tree(machine: Machine, root: Path, seed: int = 0) -> None:
    """Write all files of a machine below a folder.

    Args:
        machine: what is imitated.
        root: the folder.
        seed: of the facts that the machine's file leaves open.

    """
    drawn = RandomFacts(machine, seed)
    links = Links(machine, drawn)
    _write(root / "dev/kfd", "")
    _write(root / "proc/modules", "amdgpu 1 0 - Live 0x0000000000000000\n")
    _write(root / "sys/module/amdgpu/initstate", "live\n")
    topology = root / TOPOLOGY
    _write(topology / "generation_id", "1\n")
    names = ("platform_oem", "platform_id", "platform_rev")
    _properties(topology / "system_properties", dict(zip(names, drawn.system, strict=True)))
    _cpus(machine, drawn, links, topology / "nodes")
    for number, (cpu, its) in enumerate(
        zip(machine.cpus, processors(len(machine.cpus)), strict=True)
    ):
        write_caches(cpu, number, its, drawn, root)
    for index, gpu in enumerate(machine.gpus):
        number = len(machine.cpus) + index
        _write(root / f"dev/dri/renderD{FIRST_RENDER_NODE + index}", "")
        node = topology / f"nodes/{number}"
        _write(node / "gpu_id", f"{gpu_id(index)}\n")
        _write(node / "name", f"{gpu.target.name}\n")
        facts = drawn.gpus[index]
        # The kernel calls memory public where CPUs reach all of it, and else all of it private.
        kind = _PUBLIC if gpu.visible == gpu.memory else _PRIVATE
        own = _gpu(machine, index, facts, drawn)
        caches = _caches(gpu, drawn, index, otherwise=machine.driver.otherwise)
        _node(node, own, links, number, (kind, gpu.memory, facts), caches)


def _cpus(machine: Machine, drawn: RandomFacts, links: Links, nodes: Path) -> None:
    cores = 0
    for number, (cpu, facts) in enumerate(zip(machine.cpus, drawn.cpus, strict=True)):
        node = nodes / str(number)
        _write(node / "gpu_id", "0\n")
        _write(node / "name", "\n")
        own = {
            "cpu_cores_count": facts.cores,
            "simd_count": 0,
            "cpu_core_id_base": cores,
            "capability": 0,
            "vendor_id": 0,
            "device_id": 0,
            "max_engine_clk_ccompute": drawn.host_clock,
        }
        cores += facts.cores
        # The kernel tells the caches of CPUs elsewhere.
        _node(node, own, links, number, (_SYSTEM, cpu.memory, facts), ())


def _node(
    node: Path,
    own: Properties,
    links: Links,
    number: int,
    memory: tuple[int, int, CpuFacts | GpuFacts],
    caches: Sequence[Properties],
) -> None:
    """Write the files of a node: its own properties, and those of its parts.

    Args:
        node: its folder.
        own: its properties beside the counts of its parts.
        links: between the nodes.
        number: of the node.
        memory: the kind and the size of its memory, and who knows the rest.
        caches: its caches.

    """
    kind, size, facts = memory
    bank = {
        "heap_type": kind,
        "size_in_bytes": size,
        "flags": 0,
        "width": facts.width,
        "mem_clk_max": facts.memory_clock,
    }
    parts: Mapping[str, Sequence[Properties]] = {
        "mem_banks": [bank],
        "caches": caches,
        "io_links": _files(links.direct(number)),
        "p2p_links": _files(links.indirect(number)),
    }
    for name, files in parts.items():
        _parts(node, name, files)
    counts = {f"{name}_count": len(files) for name, files in parts.items()}
    _properties(node / "properties", {**own, **counts})


def _files(links: Sequence[Link]) -> list[Properties]:
    return [link.properties for link in links]


def _gpu(machine: Machine, index: int, facts: GpuFacts, drawn: RandomFacts) -> Properties:
    gpu = machine.gpus[index]
    target = gpu.target
    arrays = target.engines * target.dies * target.arrays
    return {
        "cpu_cores_count": 0,
        "simd_count": target.compute_units * target.simds,
        "simd_id_base": 2147487744 + 1024 * index,
        "max_waves_per_simd": target.waves,
        "lds_size_in_kb": 64,
        "gds_size_in_kb": 0,
        "num_gws": _GWS,
        "wave_front_size": target.wavefront,
        "array_count": arrays,
        "simd_arrays_per_engine": target.arrays,
        "cu_per_simd_array": -(-target.compute_units // arrays),
        "simd_per_cu": target.simds,
        "max_slots_scratch_cu": 32,
        "gfx_target_version": target.version,
        "vendor_id": _AMD,
        "device_id": target.device,
        "location_id": facts.address,
        "domain": facts.domain,
        "drm_render_minor": FIRST_RENDER_NODE + index,
        "hive_id": drawn.hive if machine.links == "xgmi" else 0,
        "num_sdma_engines": target.sdma[0],
        "num_sdma_xgmi_engines": target.sdma[1],
        "num_sdma_queues_per_engine": 8,
        "num_cp_queues": 24,
        "max_engine_clk_fcompute": facts.clock,
        "max_engine_clk_ccompute": drawn.host_clock,
        "local_mem_size": gpu.memory,
        "fw_version": facts.firmware,
        "capability": _capability(machine, gpu) | facts.revision << _REVISION,
        "debug_prop": 1495 if gpu.debug else 0,
        "sdma_fw_version": facts.copy_firmware,
        "unique_id": facts.unique,
        "num_xcc": target.dies,
        **(_OTHER_GPU if machine.driver.otherwise else {}),
    }


def _capability(machine: Machine, gpu: Gpu) -> int:
    value = _DOORBELLS_OF_64_BITS
    if not machine.driver.otherwise:
        value |= _WATCH_POINTS | _COHERENT_HOST_ACCESS
    if gpu.debug:
        value |= _DEBUG_TRAP | _DEBUG_FIRMWARE
    return value | _SVM if machine.svm else value


def _caches(gpu: Gpu, drawn: RandomFacts, index: int, *, otherwise: bool) -> list[Properties]:
    sizes = {cache.level: cache.size >> 10 for cache in gpu.caches}
    lines = dict(enumerate(gpu.target.lines, 1))
    if otherwise:
        sizes, lines = {2: 4096, 1: 32}, {2: 128, 1: 128}
    return [
        {
            "processor_id_low": 0,
            "level": level,
            "size": size,
            "cache_line_size": lines[level],
            "cache_lines_per_tag": 1,
            "association": drawn.association(f"gpu {index} {level}"),
            "latency": 0,
            "type": _DATA_OF_DEVICE,
            "sibling_map": ",".join("1" for _ in range(gpu.target.compute_units)),
        }
        for level, size in sizes.items()
    ]


def _parts(node: Path, name: str, parts: Sequence[Properties]) -> None:
    (node / name).mkdir(parents=True, exist_ok=True)
    for index, part in enumerate(parts):
        _properties(node / name / str(index) / "properties", part)


def _properties(path: Path, properties: Properties) -> None:
    _write(path, "".join(f"{name} {value}\n" for name, value in properties.items()))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")
