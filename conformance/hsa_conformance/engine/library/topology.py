"""What the driver's files say of the machine, by processor, and where they contradict it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_reports import Verdict

#: Parts of a processor, with the property that counts them.
_COUNTED: Final = {
    "mem_banks": "mem_banks_count",
    "caches": "caches_count",
    "io_links": "io_links_count",
    "p2p_links": "p2p_links_count",
}
#: What no two processors have in common, unless the driver does not know it.
_UNIQUE: Final = ("unique_id", "drm_render_minor")
_DATA: Final = 1


class Unknown(Unavailable):
    """The driver's files lack a fact, or contradict themselves in it."""

    def __init__(self, reason: str) -> None:
        super().__init__(Verdict.UNTESTED, reason)


class Node:
    """A processor of the driver's topology.

    Args:
        entry: what the files say of it; see `hsa_adapters.worker.library.topology`.
        contradiction: how that contradicts itself, or what is said of others; empty if it does not.

    """

    def __init__(self, entry: Mapping[str, Any], contradiction: str = "") -> None:
        self.id: int = entry["id"]
        self.properties: Mapping[str, int] = entry["properties"]
        self._entry = entry
        self._contradiction = contradiction

    @property
    def is_gpu(self) -> bool:
        """Return whether it executes kernels; a processor that does not is a CPU."""
        return self.properties.get("simd_count", 0) > 0

    @property
    def is_cpu(self) -> bool:
        """Return whether it has cores that run the host's programs."""
        return self.properties.get("cpu_cores_count", 0) > 0

    def known(self, name: str) -> int | None:
        """Return one of its properties, or its gpu_id or id; None where the files lack it."""
        return self._entry.get(name) if name in ("id", "gpu_id") else self.properties.get(name)

    def fact(self, name: str) -> Any:  # noqa: ANN401 - a number, a text or several numbers
        """Return what a relation calls node.NAME, banks.NAME or caches.NAME.

        Raises:
            Unknown: the files do not say it, or contradict themselves.

        """
        if self._contradiction:
            raise Unknown(f"the driver's files contradict themselves: {self._contradiction}")
        group, _, member = name.partition(".")
        if group == "node":
            found = self._entry["name"] if member == "name" else self.known(member)
            if found in (None, ""):
                raise self._lacks(name)
            return found
        parts = self._entry["mem_banks"] if group == "banks" else self._data_caches
        if not parts or any(member not in part for part in parts):
            raise self._lacks(name)
        return tuple(part[member] for part in parts)

    def link(self, other: Node, name: str) -> int:
        """Return what a relation calls link.NAME, of the link to another processor.

        Raises:
            Unknown: there is no such link, or the files do not say it.

        """
        if self._contradiction:
            raise Unknown(f"the driver's files contradict themselves: {self._contradiction}")
        links = [*self._entry["io_links"], *self._entry["p2p_links"]]
        found = [link for link in links if link.get("node_to") == other.id]
        if len(found) != 1:
            raise Unknown(
                f"the driver's files have {len(found)} links from node {self.id} to {other.id}"
            )
        member = name.partition(".")[2]
        if member not in found[0]:
            raise self._lacks(name)
        return int(found[0][member])

    @property
    def _data_caches(self) -> Sequence[Mapping[str, int]]:
        # Attributes are about caches of data; those of code alone have another kind.
        caches = [*self._entry["caches"], *self._entry.get("cpu_caches", ())]
        return [cache for cache in caches if cache.get("type", 0) & _DATA]

    def _lacks(self, name: str) -> Unknown:
        return Unknown(f"the driver's files lack {name} of node {self.id}")


class Topology:
    """The processors of the machine.

    Args:
        entries: what the files say of each; nothing where there are no such files.

    """

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._entries = [entry for entry in entries if entry["properties"]]

    @cached_property
    def nodes(self) -> Sequence[Node]:
        """Return the processors whose properties can be read."""
        return [Node(entry, self._contradiction(entry)) for entry in self._entries]

    def _contradiction(self, entry: Mapping[str, Any]) -> str:
        properties, number = entry["properties"], entry["id"]
        for part, count in _COUNTED.items():
            found = len(entry[part])
            if properties.get(count, found) != found:
                return f"{count} of node {number} is {properties[count]}, and there are {found}"
        if properties.get("simd_count") and properties.get("simd_per_cu") == 0:
            return f"node {number} has SIMD units, and no compute unit has any"
        known = {other["id"] for other in self._entries}
        for link in (*entry["io_links"], *entry["p2p_links"]):
            if link.get("node_from", number) != number or link.get("node_to") not in known:
                ends = f"{link.get('node_from')} to {link.get('node_to')}"
                return f"node {number} has a link from {ends}, which is none of it"
        for other in self._entries:
            if other["id"] != number and (same := _in_common(entry, other)):
                return f"nodes {number} and {other['id']} have the same {same}"
        return ""


def _in_common(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    if one.get("gpu_id") and one.get("gpu_id") == other.get("gpu_id"):
        return "gpu_id"
    first, second = one["properties"], other["properties"]
    # Parts of one device that are devices of their own share what the device has.
    shared = [n for n in _UNIQUE if first.get(n) and first.get(n) == second.get(n)]
    return "" if "unique_id" in shared and len(shared) < len(_UNIQUE) else "".join(shared[:1])
