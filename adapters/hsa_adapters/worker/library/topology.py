"""What the driver's files say of the machine, as the library beside this worker sees them."""

from __future__ import annotations

import os
from typing import Any

_NODES = "/sys/devices/virtual/kfd/kfd/topology/nodes"
_CPUS = "/sys/devices/system/node"
_PARTS = ("mem_banks", "caches", "io_links", "p2p_links")


def topology() -> list[dict[str, Any]]:
    """Return the processors of the machine; none where the driver tells of none.

    Each is its number (`id`), what its files `gpu_id`, `name` and `properties` say, and lists of
    what is said of its `mem_banks`, `caches`, `io_links` and `p2p_links`. Of the caches of CPUs the
    kernel tells elsewhere; `cpu_caches` has them in the same words.
    """
    return [_node(number) for number in sorted(map(int, filter(str.isdigit, _listed(_NODES))))]


def _node(number: int) -> dict[str, Any]:
    folder = f"{_NODES}/{number}"
    node: dict[str, Any] = {"id": number, "name": _text(f"{folder}/name")}
    gpu_id = _text(f"{folder}/gpu_id")
    if gpu_id.isdigit():
        node["gpu_id"] = int(gpu_id)
    node["properties"] = _properties(f"{folder}/properties")
    for part in _PARTS:
        names = sorted(map(int, filter(str.isdigit, _listed(f"{folder}/{part}"))))
        node[part] = [_properties(f"{folder}/{part}/{name}/properties") for name in names]
    if node.get("gpu_id") == 0 and not node["caches"]:
        node["cpu_caches"] = _cpu_caches(f"{_CPUS}/node{number}")
    return node


def _cpu_caches(folder: str) -> list[dict[str, int]]:
    """Return the caches of a CPU, each once although several processors share it."""
    found = {}
    for cpu in _listed(folder):
        if cpu[:3] != "cpu" or not cpu[3:].isdigit():
            continue
        for index in _listed(f"{folder}/{cpu}/cache"):
            place = f"{folder}/{cpu}/cache/{index}"
            kinds = {"Data": 1, "Instruction": 2, "Unified": 3}
            size, level = _text(f"{place}/size"), _text(f"{place}/level")
            line, shared = _text(f"{place}/coherency_line_size"), _text(f"{place}/shared_cpu_list")
            if not (size[:-1].isdigit() and size.endswith("K") and level.isdigit()):
                continue
            cache = {"level": int(level), "size": int(size[:-1])}
            cache["type"] = kinds.get(_text(f"{place}/type"), 0)
            if line.isdigit():
                cache["cache_line_size"] = int(line)
            found[level, cache["type"], shared] = cache
    return list(found.values())


def _properties(path: str) -> dict[str, int]:
    """Return what a file says in lines of a name and a number."""
    words = (line.split() for line in _text(path).splitlines())
    return {w[0]: int(w[1]) for w in words if len(w) == 2 and w[1].isdigit()}


def _text(path: str) -> str:
    """Return what a file says; nothing where it cannot be read."""
    try:
        with open(path) as file:  # noqa: PTH123
            return file.read().strip()
    except OSError:
        return ""


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []
