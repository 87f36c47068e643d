"""The files of /sys, /dev and /proc that describe an imitated machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from hsa_spec.machines import Gpu, Machine

TOPOLOGY = "sys/devices/virtual/kfd/kfd/topology"
FIRST_RENDER_NODE = 128
_FIRST_GPU_ID = 51001
_AMD = 0x1002
_PCIE, _XGMI = 2, 11
_SYSTEM, _PUBLIC, _PRIVATE = 0, 1, 2
_GWS = 64  # barriers at which the waves of a whole device can meet

# Bits of a node's capabilities in the topology.
_DOORBELLS_OF_64_BITS = 2 << 12
_WATCH_POINTS = 1 << 7 | 2 << 8
_DEBUG_TRAP = 1 << 15 | 1 << 16 | 1 << 17
_SVM = 1 << 27
_COHERENT_HOST_ACCESS = 1 << 28
_DEBUG_FIRMWARE = 1 << 29

# What another GPU of the same architecture may have instead.
_OTHER_GPU = {
    "max_slots_scratch_cu": 16,
    "device_id": 0x7408,
    "location_id": 0xC300,
    "domain": 2,
    "num_sdma_queues_per_engine": 2,
    "num_cp_queues": 8,
    "max_engine_clk_fcompute": 1200,
    "max_engine_clk_ccompute": 3100,
    "fw_version": 71,
    "sdma_fw_version": 23,
    "unique_id": 0,
}

Properties = Mapping[str, int | str]


def gpu_id(index: int) -> int:
    """Return the driver's number for a GPU."""
    return _FIRST_GPU_ID + index


def write_tree(machine: Machine, root: Path) -> None:
    """Write all files of a machine below a folder."""
    _write(root / "dev/kfd", "")
    _write(root / "proc/modules", "amdgpu 1 0 - Live 0x0000000000000000\n")
    _write(root / "sys/module/amdgpu/initstate", "live\n")
    topology = root / TOPOLOGY
    _write(topology / "generation_id", "1\n")
    _properties(
        topology / "system_properties", {"platform_oem": 0, "platform_id": 0, "platform_rev": 0}
    )
    _cpu(machine, topology / "nodes/0")
    for index, gpu in enumerate(machine.gpus):
        _write(root / f"dev/dri/renderD{FIRST_RENDER_NODE + index}", "")
        _gpu(machine, index, gpu, topology / f"nodes/{index + 1}")


def _cpu(machine: Machine, node: Path) -> None:
    _write(node / "gpu_id", "0\n")
    _write(node / "name", "\n")
    links = [_link(0, index + 1, _PCIE, 20) for index in range(len(machine.gpus))]
    _banks(node, [(_SYSTEM, machine.cpus[0].memory)])
    _parts(node, "io_links", links)
    _properties(
        node / "properties",
        {
            "cpu_cores_count": os.cpu_count() or 1,
            "simd_count": 0,
            "mem_banks_count": 1,
            "caches_count": 0,
            "io_links_count": len(links),
            "p2p_links_count": 0,
            "cpu_core_id_base": 0,
            "capability": 0,
            "vendor_id": 0,
            "device_id": 0,
        },
    )


def _gpu(machine: Machine, index: int, gpu: Gpu, node: Path) -> None:
    target = gpu.target
    _write(node / "gpu_id", f"{gpu_id(index)}\n")
    _write(node / "name", f"{target.name}\n")
    links = [_link(index + 1, 0, _PCIE, 20)]
    others = [other for other in range(len(machine.gpus)) if other != index]
    if machine.links == "xgmi":
        links += [_link(index + 1, other + 1, _XGMI, 15) for other in others]
    peers = [_link(index + 1, other + 1, _PCIE, 40) for other in others]
    if machine.links != "pcie":
        peers = []
    # The kernel calls memory public where CPUs reach all of it, and else all of it private.
    banks = [(_PUBLIC if gpu.visible == gpu.memory else _PRIVATE, gpu.memory)]
    caches = _caches(gpu, otherwise=machine.driver.otherwise)
    _banks(node, banks)
    _parts(node, "io_links", links)
    _parts(node, "p2p_links", peers)
    _parts(node, "caches", caches)
    engines = target.engines * target.dies
    _properties(
        node / "properties",
        {
            "cpu_cores_count": 0,
            "simd_count": target.compute_units * target.simds,
            "mem_banks_count": len(banks),
            "caches_count": len(caches),
            "io_links_count": len(links),
            "p2p_links_count": len(peers),
            "simd_id_base": 2147487744 + 1024 * index,
            "max_waves_per_simd": target.waves,
            "lds_size_in_kb": 64,
            "gds_size_in_kb": 0,
            "num_gws": _GWS,
            "wave_front_size": target.wavefront,
            "array_count": engines,
            "simd_arrays_per_engine": 1,
            "cu_per_simd_array": -(-target.compute_units // engines),
            "simd_per_cu": target.simds,
            "max_slots_scratch_cu": 32,
            "gfx_target_version": target.version,
            "vendor_id": _AMD,
            "device_id": target.device,
            "location_id": (index + 1) << 8,
            "domain": 0,
            "drm_render_minor": FIRST_RENDER_NODE + index,
            "hive_id": 1 if machine.links == "xgmi" else 0,
            "num_sdma_engines": target.sdma[0],
            "num_sdma_xgmi_engines": target.sdma[1],
            "num_sdma_queues_per_engine": 8,
            "num_cp_queues": 24,
            "max_engine_clk_fcompute": 1700,
            "max_engine_clk_ccompute": 2000,
            "local_mem_size": gpu.memory,
            "fw_version": 100,
            "capability": _capability(machine, gpu),
            "debug_prop": 1495 if gpu.debug else 0,
            "sdma_fw_version": 8,
            "unique_id": 0x1000 + index,
            "num_xcc": target.dies,
            **(_OTHER_GPU if machine.driver.otherwise else {}),
        },
    )


def _capability(machine: Machine, gpu: Gpu) -> int:
    value = _DOORBELLS_OF_64_BITS
    if not machine.driver.otherwise:
        value |= _WATCH_POINTS | _COHERENT_HOST_ACCESS
    if gpu.debug:
        value |= _DEBUG_TRAP | _DEBUG_FIRMWARE
    return value | _SVM if machine.svm else value


def _caches(gpu: Gpu, *, otherwise: bool) -> list[Properties]:
    sizes = {cache.level: cache.size >> 10 for cache in gpu.caches}
    if otherwise:
        sizes = {2: 4096, 1: 32}
    return [
        {
            "processor_id_low": 0,
            "level": level,
            "size": size,
            "cache_line_size": 64 if otherwise else 128,
            "cache_lines_per_tag": 1,
            "association": 16,
            "latency": 0,
            "type": 9,  # data, of the device
            "sibling_map": ",".join("1" for _ in range(gpu.target.compute_units)),
        }
        for level, size in sizes.items()
    ]


def _link(source: int, target: int, kind: int, weight: int) -> Properties:
    return {
        "type": kind,
        "version_major": 0,
        "version_minor": 0,
        "node_from": source,
        "node_to": target,
        "weight": weight,
        "min_latency": 0,
        "max_latency": 0,
        "min_bandwidth": 0,
        "max_bandwidth": 0,
        "recommended_transfer_size": 0,
        "recommended_sdma_engine_id_mask": 0,
        "flags": 1,
    }


def _banks(node: Path, banks: list[tuple[int, int]]) -> None:
    parts: list[Properties] = [
        {"heap_type": kind, "size_in_bytes": size, "flags": 0, "width": 64, "mem_clk_max": 1600}
        for kind, size in banks
    ]
    _parts(node, "mem_banks", parts)


def _parts(node: Path, name: str, parts: list[Properties]) -> None:
    (node / name).mkdir(parents=True, exist_ok=True)
    for index, part in enumerate(parts):
        _properties(node / name / str(index) / "properties", part)


def _properties(path: Path, properties: Properties) -> None:
    _write(path, "".join(f"{name} {value}\n" for name, value in properties.items()))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")
