"""What operations of a batch are made of: members, lists, pointers, and places to copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.topics.amd.copies.generators import MOST, shared_block
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import wait, waiting
from hsa_conformance.topics.shared.memory import fill, require_contents

BATCH: Final = "hsa_amd_memory_async_batch_copy"
STRUCT: Final = "hsa_amd_memory_copy_op_t"
TYPES: Final = "HSA_AMD_MEMORY_COPY_OP_"
#: The ways to say what one operation copies.
FORMS: Final = ("LINEAR", "LINEAR_INDIRECT_SRC", "LINEAR_INDIRECT_DST", "LINEAR_INDIRECT_SRCDST")
#: How many places there are at most, and how many bytes each may hold.
PLACES: Final = 3
ROOM: Final = MOST // PLACES
#: Bytes of an address or a handle.
POINTER: Final = 8


@dataclass
class Places:
    """Several places of the host's memory that all agents reach, and what is in them.

    Attributes:
        addresses: where each starts.
        contents: what each holds.

    """

    addresses: Sequence[int]
    contents: Sequence[bytes]

    @classmethod
    def drawn(cls, scene: Scene, sizes: Sequence[int]) -> Places:
        """Fill as many places as there are sizes, each of which is at most `ROOM`.

        Each begins with a byte that no other one begins with.
        """
        seed: bytes = scene.draw(drawing.binary(min_size=1, max_size=13))
        contents = [(bytes([i]) + seed * size)[:size] for i, size in enumerate(sizes)]
        return cls._filled(scene, contents)

    def opposite(self, scene: Scene) -> Places:
        """Fill as many other places, with nothing but other bytes."""
        return self._filled(scene, [bytes(b ^ 0xFF for b in each) for each in self.contents])

    @classmethod
    def _filled(cls, scene: Scene, contents: Sequence[bytes]) -> Places:
        block = shared_block(scene, "cpu")
        addresses = [block + ROOM * index for index in range(len(contents))]
        for address, content in zip(addresses, contents, strict=True):
            fill(scene, address, content)
        return cls(addresses, contents)

    def require(self, scene: Scene, expected: Sequence[bytes], summary: str) -> None:
        """Demand what each of them holds."""
        for address, content in zip(self.addresses, expected, strict=True):
            require_contents(scene, address, content, summary)


def drawn_sizes(scene: Scene, count: int) -> list[int]:
    """Draw how many bytes each of several places has."""
    return [scene.draw(drawing.integers(1, ROOM)) for _ in range(count)]


def pair(scene: Scene) -> tuple[Places, Places]:
    """Return a place, and another one that holds other bytes."""
    of = Places.drawn(scene, drawn_sizes(scene, 1))
    return of, of.opposite(scene)


def operation(scene: Scene, done: int, members: Mapping[str, int]) -> Data:
    """Return an operation between agents one of which is a GPU.

    Args:
        scene: the property's scene.
        done: its completion signal.
        members: further members by name, among them the type.

    """
    registry = scene.session.registry
    gpu, other = some_gpu(scene).handle, scene.choose(known_agents(scene)).handle
    version = registry.macros["HSA_AMD_MEMORY_COPY_OP_VERSION"].value
    agents = {"src_agent": gpu, "dst_agent": other}
    values = {"version": int(str(version)), "completion_signal": done, **agents, **members}
    fields = {field.name: field for field in registry.structs[STRUCT].fields}
    content, numbers = bytearray(registry.structs[STRUCT].size), dict[int, int]()
    for name, value in values.items():
        place, size = fields[name].offset, fields[name].size
        content[place : place + size] = int(value).to_bytes(size, "little")
        if size == POINTER:
            numbers[place] = value
    return Data(bytes(content), "an operation", numbers)


def start(scene: Scene, operations: Sequence[Data], after: Sequence[int] = ()) -> None:
    """Make the call that a property is about.

    Raises:
        Blocked: it does not succeed.

    """
    content = b"".join(each.content for each in operations)
    size = len(operations[0].content)
    numbers = {
        size * index + place: number
        for index, each in enumerate(operations)
        for place, number in each.numbers.items()
    }
    answer = scene.call(
        BATCH,
        copy_ops=Data(content, f"{len(operations)} operations", numbers),
        num_copy_ops=len(operations),
        **waiting(after),
    )
    if not answer.ok:
        raise Blocked(f"{BATCH}/success", answer.name)


def run(scene: Scene, members: Mapping[str, int]) -> None:
    """Do one operation and wait for its end, for a property that is not about the signal."""
    done = signal(scene, 1)
    start(scene, [operation(scene, done, members)])
    left = wait(scene, done)
    if left != 0:
        raise Blocked(f"{BATCH}/each-completes", f"a completion signal of {left}")


def number(scene: Scene, name: str) -> int:
    """Return the value of an enumerator."""
    return scene.session.registry.constants[name]


def array(scene: Scene, numbers: Sequence[int]) -> int:
    """Return where an array of addresses, handles or sizes is."""
    return scene.session.lay_out(handle_array(numbers))


def agents(scene: Scene, count: int) -> int:
    """Return where an array of agents is."""
    return array(scene, [scene.choose(known_agents(scene)).handle for _ in range(count)])


def linear(scene: Scene, target: int, source: int, size: int) -> Mapping[str, int]:
    """Return what one copy is made of, which may follow pointers."""
    form = scene.each("operation", {form: form for form in FORMS})
    system = number(scene, "HSA_FENCE_SCOPE_SYSTEM")
    follows = {"src": form.endswith(("SRC", "SRCDST")), "dst": form.endswith("DST")}
    ends = {"src": source, "dst": target}
    for side, indirect in follows.items():
        if indirect:
            slot = shared_block(scene, "cpu")
            fill(scene, slot, int(ends[side]).to_bytes(8, "little"))
            ends[side] = slot
    scope = system if any(follows.values()) else 0
    return {"type": number(scene, TYPES + form), **ends, "size": size, "wait.scope": scope}


def listed(scene: Scene, kind: str, to: Places, of: Places) -> Mapping[str, int]:
    """Return what an operation with lists is made of."""
    count = len(to.addresses)
    return {
        "type": number(scene, TYPES + kind),
        "num_entries": count,
        "src": array(scene, of.addresses),
        "dst": array(scene, to.addresses),
        "dst_agent": agents(scene, count),
        "size": array(scene, [len(content) for content in of.contents]),
    }
