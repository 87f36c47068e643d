"""Descriptors of queues for hsa_amd_queue_create."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import LIST
from hsa_conformance.engine.generation.generators import Comparison, Generators, spoilt
from hsa_conformance.topics.amd.queues.generators import NORMAL
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.queues.generators import limits

SIZE: Final = 96  # bytes of a hsa_amd_queue_create_desc_t
QUEUE: Final = 32  # where the queue is written
PACKET: Final = 64

COMPUTE, COPY, AIE = range(3)
ANY_ENGINE: Final = 0xFFFFFFFF


@dataclass(frozen=True)
class Descriptor:
    """A queue that is asked for; `size` is in bytes, `mask` an address of `bits` bits."""

    size: int
    engine: int = COMPUTE
    version: int = 1
    priority: int = NORMAL
    type: int = 0
    mask: int = 0
    bits: int = 0
    copy_engine: int = ANY_ENGINE
    traffic_class: int = 0

    def content(self) -> bytes:
        """Return the bytes of the structure; its queue is one that no library would give."""
        head = _join((self.version, 2), (0, 2), (self.engine, 1), (0, 3), (self.size, 4))
        middle = _join((self.priority, 4), (0, 8), (0, 8), (1, 8))
        if self.engine == COMPUTE:
            segment = 0xFFFFFFFF
            own = _join((self.mask, 8), (self.type, 4), (segment, 4), (self.bits, 4))
        else:
            own = _join((self.copy_engine if self.engine == COPY else 0, 4))
        return (head + middle + own.ljust(32, b"\0") + _join((self.traffic_class, 4))).ljust(
            SIZE, b"\0"
        )


def _join(*parts: tuple[int, int]) -> bytes:
    return b"".join(value.to_bytes(size, "little") for value, size in parts)


def descriptors(wanted: Sequence[Descriptor]) -> Data:
    """Return an array of descriptors."""
    return Data(b"".join(d.content() for d in wanted), f"[{', '.join(map(str, wanted))}]")


def valid(b: Builder) -> Descriptor:
    """Return a descriptor of a compute queue that every GPU can have."""
    least = max((limits(b, a.handle).least for a in known_agents(b, "gpu")), default=1)
    return Descriptor(PACKET * max(least, 1))


def _put(b: Builder, array: str, wanted: Sequence[Descriptor]) -> None:
    b.values[array] = b.session.lay_out(descriptors(wanted))


def _valid(b: Builder, array: str, count: str) -> None:
    b.values[count] = b.elements(array, most=LIST)  # each is a queue of every GPU
    _put(b, array, [valid(b)] * b.number(count))


def _invalid(b: Builder, array: str, count: str) -> None:
    right = valid(b)
    wrong = b.choose(
        [
            replace(right, size=0),
            replace(right, size=3 * PACKET),
            replace(right, size=PACKET // 2),
            replace(right, engine=AIE + 1),
            replace(right, priority=3),
            replace(right, type=3),
            replace(right, bits=33),
            replace(right, traffic_class=1),
        ]
    )
    wanted = spoilt(b, [right, right], wrong)
    b.values[count] = len(wanted)
    _put(b, array, wanted)


def _supported(b: Builder, agent: str, array: str, count: str) -> None:
    b.values[agent] = some_gpu(b).handle
    _valid(b, array, count)


def _unsupported(b: Builder, agent: str, array: str, count: str) -> None:
    if b.choose(["AI engine", "CPU"]) == "CPU" and known_agents(b, "cpu"):
        b.values[agent] = b.one_of(known_agents(b, "cpu")).handle
        _valid(b, array, count)
    else:
        b.values[count] = 1
        _put(b, array, [replace(valid(b), engine=AIE)])


def _version(b: Builder, names: Sequence[str], _: str, op: str, wanted: object) -> None:
    version = int(str(wanted)) if op == "==" else b.choose([0, 2, 0xFFFF])
    _put(b, names[0], [replace(valid(b), version=version)] * max(1, b.number("num_descs")))


GENERATORS: Mapping[str, Generators] = {
    "queue_descriptors_valid": Generators(_valid, _invalid),
    "queue_descriptors_supported": Generators(_supported, _unsupported),
}

COMPARISONS: Mapping[str, Comparison] = {"queue_descriptor_version": _version}
