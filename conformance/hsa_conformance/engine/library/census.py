"""How many agents a library has to list, and which of the machine's processors it lacks.

| What is known | A processor that is not listed |
| --- | --- |
| the claim says how many agents there are | is a failure |
| the machine is imitated, and the release of ROCr knows the processor | is a failure |
| the driver's files alone have it | is told in front of all that the run shows |

A library that does not open the driver's device has nothing to do with its processors, and
ROCR_VISIBLE_DEVICES hides GPUs on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hsa_adapters.protocol import Subject
from hsa_conformance.engine.library.topology import Node, Topology
from hsa_spec.machines import targets
from hsa_spec.releases import Release, numbers

#: What reports call agents, by their kind.
NAMES: Final[Mapping[str, str]] = {"cpu": "CPU", "gpu": "GPU"}


@dataclass(frozen=True)
class Quota:
    """How many agents of a kind a library has to list.

    Args:
        count: the least number of them.
        words: the same in words, with what says so.

    """

    count: int
    words: str


def expected(subject: Subject, release: Release, topology: Topology) -> Mapping[str, Quota]:
    """Return how many agents a library has to list, by their kind, as far as that is known.

    Args:
        subject: the library, with its claim and its machine.
        release: what is known of its version.
        topology: the driver's files.

    """
    if subject.agents is not None:
        found = {kind: (count, "the claim has") for kind, count in subject.agents.items()}
    elif subject.machine is None or subject.hides or not release.is_rocm:
        return {}
    else:
        known = [node for node in topology.nodes if _knows(release, node)]
        found = {kind: (_count(known, kind), "the machine has") for kind in NAMES}
    return {
        kind: Quota(count, f"{source} {_counted(count, kind)}")
        for kind, (count, source) in found.items()
    }


def unlisted(
    subject: Subject, release: Release, topology: Topology, listed: Mapping[str, int]
) -> Iterator[str]:
    """Yield what the machine has more of than the library lists, each kind in words.

    Args:
        subject: the library, with its claim and its machine.
        release: what is known of its version.
        topology: the driver's files.
        listed: how many agents it lists, by their kind.

    """
    if not (release.is_rocm or subject.seeks_device):
        return
    claimed = subject.agents or {}
    hidden = f" (ROCR_VISIBLE_DEVICES={subject.hides})" if subject.hides else ""
    for kind in NAMES:
        there = _count(topology.nodes, kind)
        if kind not in claimed and listed.get(kind, 0) < there:
            reported = listed.get(kind, 0) or "none"
            yield f"the machine has {_counted(there, kind)}, the library reports {reported}{hidden}"


def _count(nodes: Iterable[Node], kind: str) -> int:
    return sum(node.is_gpu if kind == "gpu" else node.is_cpu for node in nodes)


def _knows(release: Release, node: Node) -> bool:
    """Return whether every release that the library may be knows a processor."""
    if not node.is_gpu:
        return True
    version = node.known("gfx_target_version")
    since = next((t.rocm for t in targets().values() if t.version == version), None)
    lowest = release.lowest
    return since is not None and lowest is not None and numbers(lowest) >= numbers(since)


def _counted(count: int, kind: str) -> str:
    return f"{count} {NAMES[kind]}{'s' * (count != 1)}"
