"""The links between the processors of an imitated machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_

from hsa_adapters.virtual_kfd.random_facts import LinkFacts, RandomFacts
from hsa_spec.machines import Machine

# Kinds of links, and flags: of those that can be used, and of those that are not coherent or that
# lack atomic operations of 32 or 64 bits. They are in the kernel's linux/kfd_sysfs.h.
_QPI, _PCIE, _XGMI = 5, 2, 11
_ENABLED, _NON_COHERENT, _NO_ATOMICS_32_BIT, _NO_ATOMICS_64_BIT = 1, 2, 4, 8
#: MB a second that links of a kind may have, by the kind.
_BANDWIDTHS = {_QPI: (10_000, 50_000), _PCIE: (2_000, 64_000), _XGMI: (50_000, 512_000)}
#: Of which flags a link may have each: the kernel's kfd_topology.c asks the bus about atomics.
_MAY_LACK = {
    _QPI: (),
    _PCIE: (_NON_COHERENT, _NO_ATOMICS_32_BIT, _NO_ATOMICS_64_BIT),
    _XGMI: (_NON_COHERENT,),
}
_LEAST_WEIGHT = 13


@dataclass(frozen=True)
class Link:
    """A link from a node to another, in the words of the driver's files."""

    source: int
    target: int
    kind: int
    weight: int
    facts: LinkFacts

    @property
    def properties(self) -> Mapping[str, int]:
        """Return the lines of its file."""
        return {
            "type": self.kind,
            "version_major": 0,
            "version_minor": 0,
            "node_from": self.source,
            "node_to": self.target,
            "weight": self.weight,
            "min_latency": self.facts.min_latency,
            "max_latency": self.facts.max_latency,
            "min_bandwidth": self.facts.min_bandwidth,
            "max_bandwidth": self.facts.max_bandwidth,
            "recommended_transfer_size": 0,
            "recommended_sdma_engine_id_mask": 0,
            "flags": _ENABLED | self.facts.lacks,
        }


class Links:
    """The links of a machine, as its driver tells them.

    A GPU is at the side of one CPU. To the others it gets through that one, and to GPUs without a
    link of their own through both CPUs; what leads through a CPU weighs as much as all its parts.
    No CPU has a way to a GPU of which it reaches but a part: the kernel's `kfd_topology.c` and
    `kfd_crat.c` list one for a large BAR alone.

    Args:
        machine: what is imitated.
        drawn: what its file leaves open.

    """

    def __init__(self, machine: Machine, drawn: RandomFacts) -> None:
        self._machine = machine
        self._random_facts = drawn
        self._cpus, self._gpus = len(machine.cpus), len(machine.gpus)

    def direct(self, node: int) -> list[Link]:
        """Return the links of a node that lead through no other."""
        others = self._reached(node)
        return [link for link in (self._direct(node, other) for other in others) if link]

    def indirect(self, node: int) -> list[Link]:
        """Return the ways from a node that lead through CPUs."""
        direct = {link.target for link in self.direct(node)}
        others = (other for other in self._reached(node) if other not in direct)
        return [link for link in (self._indirect(node, other) for other in others) if link]

    def _reached(self, node: int) -> Iterator[int]:
        """Yield the other nodes to which there may be a way."""
        for other in range(self._cpus + self._gpus):
            if node < self._cpus <= other:
                gpu = self._machine.gpus[other - self._cpus]
                if gpu.visible < gpu.memory:
                    continue
            if other != node:
                yield other

    def _host(self, node: int) -> int:
        """Return the CPU that a node is at the side of; a CPU is at its own."""
        if node < self._cpus:
            return node
        return (node - self._cpus) * self._cpus // self._gpus

    def _direct(self, node: int, other: int) -> Link | None:
        if max(node, other) < self._cpus:
            return self._link(node, other, _QPI)
        if min(node, other) < self._cpus:
            if self._host(node) != self._host(other):
                return None
            return self._link(node, other, _PCIE)
        if self._machine.links != "xgmi":
            return None
        return self._link(node, other, _XGMI)

    def _link(self, node: int, other: int, kind: int) -> Link:
        # No two weigh the same, so that they cannot be taken for each other.
        low, high = sorted((node, other))
        weight = _LEAST_WEIGHT + high * (high - 1) // 2 + low
        facts = self._random_facts.link(node, other, *_BANDWIDTHS[kind], _MAY_LACK[kind])
        return Link(node, other, kind, weight, facts)

    def _indirect(self, node: int, other: int) -> Link | None:
        both_gpus = min(node, other) >= self._cpus
        if both_gpus and self._machine.links != "pcie":
            return None
        stops = dict.fromkeys((node, self._host(node), self._host(other), other))
        path = list(stops)
        parts = [self._direct(a, b) for a, b in pairwise(path)]
        known = [part for part in parts if part]
        facts = LinkFacts(
            sum(p.facts.min_latency for p in known),
            sum(p.facts.max_latency for p in known),
            min(p.facts.min_bandwidth for p in known),
            min(p.facts.max_bandwidth for p in known),
            reduce(or_, (p.facts.lacks for p in known)),
        )
        return Link(node, other, _PCIE, sum(p.weight for p in known), facts)
