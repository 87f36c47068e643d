"""Batches of copies: what their operations wait for, copy, and change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from hsa_conformance.engine.calls import Data
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.outcomes import Blocked
from hsa_conformance.topics.amd.copies.generators import MOST, shared_block
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import LONG, SHORT, require_waits, wait, waiting
from hsa_conformance.topics.shared.memory import fill, require_contents

proves = Proofs()

BATCH: Final = "hsa_amd_memory_async_batch_copy"
STRUCT: Final = "hsa_amd_memory_copy_op_t"
TYPES: Final = "HSA_AMD_MEMORY_COPY_OP_"
WAITS: Final = "HSA_AMD_MEMORY_COPY_WAIT_"
SIGNALS: Final = "HSA_AMD_MEMORY_COPY_SIGNAL_"
#: The ways to say what one operation copies.
FORMS: Final = ("LINEAR", "LINEAR_INDIRECT_SRC", "LINEAR_INDIRECT_DST", "LINEAR_INDIRECT_SRCDST")
#: How many places there are at most, and how many bytes each may hold.
PLACES: Final = 3
ROOM: Final = MOST // PLACES
#: Bytes of an address or a handle.
POINTER: Final = 8
#: Numbers that are the same with a sign and without.
NUMBERS: Final = st.integers(0, (1 << 63) - 1)
_MASK: Final = (1 << 64) - 1

_PASSES: Mapping[str, Callable[[int, int], bool]] = {
    "LT": int.__lt__,
    "LE": int.__le__,
    "EQ": int.__eq__,
    "NE": int.__ne__,
    "GE": int.__ge__,
    "GT": int.__gt__,
}
_CHANGES: Mapping[str, Callable[[int, int], int]] = {
    "WRITE": lambda _, data: data,
    "ADD": lambda old, data: old + data & _MASK,
    "SUB": lambda old, data: old - data & _MASK,
}


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
        seed: bytes = scene.draw(st.binary(min_size=1, max_size=13))
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


def _sizes(scene: Scene, count: int) -> list[int]:
    return [scene.draw(st.integers(1, ROOM)) for _ in range(count)]


def _pair(scene: Scene) -> tuple[Places, Places]:
    """Return a place, and another one that holds other bytes."""
    of = Places.drawn(scene, _sizes(scene, 1))
    return of, of.opposite(scene)


def _operation(scene: Scene, done: int, members: Mapping[str, int]) -> Data:
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


def _start(scene: Scene, operations: Sequence[Data], after: Sequence[int] = ()) -> None:
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


def _run(scene: Scene, members: Mapping[str, int]) -> None:
    """Do one operation and wait for its end, for a property that is not about the signal."""
    done = signal(scene, 1)
    _start(scene, [_operation(scene, done, members)])
    left = wait(scene, done)
    if left != 0:
        raise Blocked(f"{BATCH}/each-completes", f"a completion signal of {left}")


def _number(scene: Scene, name: str) -> int:
    return scene.session.registry.constants[name]


def _array(scene: Scene, numbers: Sequence[int]) -> int:
    return scene.session.lay_out(handle_array(numbers))


def _agents(scene: Scene, count: int) -> int:
    """Return where an array of agents is."""
    return _array(scene, [scene.choose(known_agents(scene)).handle for _ in range(count)])


def _linear(scene: Scene, target: int, source: int, size: int) -> Mapping[str, int]:
    """Return what one copy is made of, which may follow pointers."""
    form = scene.each("operation", {form: form for form in FORMS})
    system = _number(scene, "HSA_FENCE_SCOPE_SYSTEM")
    follows = {"src": form.endswith(("SRC", "SRCDST")), "dst": form.endswith("DST")}
    ends = {"src": source, "dst": target}
    for side, indirect in follows.items():
        if indirect:
            slot = shared_block(scene, "cpu")
            fill(scene, slot, int(ends[side]).to_bytes(8, "little"))
            ends[side] = slot
    scope = system if any(follows.values()) else 0
    return {"type": _number(scene, TYPES + form), **ends, "size": size, "wait.scope": scope}


def _listed(scene: Scene, kind: str, to: Places, of: Places) -> Mapping[str, int]:
    """Return what an operation with lists is made of."""
    count = len(to.addresses)
    return {
        "type": _number(scene, TYPES + kind),
        "num_entries": count,
        "src": _array(scene, of.addresses),
        "dst": _array(scene, to.addresses),
        "dst_agent": _agents(scene, count),
        "size": _array(scene, [len(content) for content in of.contents]),
    }


@proves("hsa_amd_memory_async_batch_copy/each-completes", examples=2)
def the_signal_goes_down_by_one_for_each_copy_that_is_there(scene: Scene) -> None:
    """A batch takes the completion signal of its copies down by one for each, whatever its value.

    By then the bytes of each are at their destination, be they named by address, by a pointer that
    is followed, or in lists of one operation.
    """
    some_gpu(scene)
    sizes = _sizes(scene, scene.choose([PLACES, 2, 1]))
    of = Places.drawn(scene, sizes)
    to = of.opposite(scene)
    listed = scene.each("entries", {"one": False, "list": True})
    count = 1 if listed else len(sizes)
    initial = count - scene.draw(st.integers(0, 4))
    done = signal(scene, initial)
    rows = zip(to.addresses, of.addresses, sizes, strict=True)
    members = (
        [_listed(scene, "LINEAR", to, of)] if listed else [_linear(scene, *row) for row in rows]
    )
    _start(scene, [_operation(scene, done, each) for each in members])
    left = wait(scene, done, below=initial - count + 1)
    scene.require(
        left == initial - count,
        f"the completion signal of {count} copies did not go from {initial} to {initial - count}",
        left,
    )
    to.require(scene, of.contents, "a copy is complete, and its bytes are not there")


@proves("hsa_amd_memory_async_batch_copy/after-dependencies")
def a_batch_waits_for_its_signals(scene: Scene) -> None:
    """A copy of a batch begins when all dependency signals are 0, and not before."""
    some_gpu(scene)
    of, to = _pair(scene)
    initial = st.integers(-3, 3).filter(bool)
    after = [signal(scene, scene.draw(initial)) for _ in range(scene.draw(st.integers(1, 3)))]
    done = signal(scene, 1)
    linear = {"type": _number(scene, f"{TYPES}LINEAR"), "size": len(of.contents[0])}
    ends = {"src": of.addresses[0], "dst": to.addresses[0]}
    _start(scene, [_operation(scene, done, {**linear, **ends})], after)
    require_waits(scene, done, after, to.addresses[0], to.contents[0])
    to.require(scene, of.contents, "the copy is complete and wrong")


@proves("hsa_amd_memory_async_batch_copy/broadcast")
def a_broadcast_reaches_each_destination(scene: Scene) -> None:
    """After a broadcast, each of its destinations holds the bytes of its source, and no more."""
    some_gpu(scene)
    sizes = _sizes(scene, 1)
    of = Places.drawn(scene, sizes)
    to = Places.drawn(scene, [ROOM] * scene.draw(st.integers(1, PLACES)))
    count = len(to.addresses)
    lists = {"dst": _array(scene, to.addresses), "dst_agent": _agents(scene, count)}
    kind = {"type": _number(scene, f"{TYPES}LINEAR_BROADCAST"), "num_entries": count}
    _run(scene, {**kind, "src": of.addresses[0], **lists, "size": len(of.contents[0])})
    expected = [of.contents[0] + before[len(of.contents[0]) :] for before in to.contents]
    to.require(scene, expected, "a destination of the broadcast does not hold the source's bytes")


@proves("hsa_amd_memory_async_batch_copy/swap")
def a_swap_exchanges_its_buffers(scene: Scene) -> None:
    """After a swap, each of its two buffers holds what the other one had; several may be listed."""
    some_gpu(scene)
    listed = scene.each("entries", {"one": False, "list": True})
    sizes = _sizes(scene, scene.choose([PLACES, 2, 1]) if listed else 1)
    of = Places.drawn(scene, sizes)
    to = of.opposite(scene)
    ends = {"src": of.addresses[0], "dst": to.addresses[0]}
    one = {"type": _number(scene, f"{TYPES}LINEAR_SWAP"), **ends}
    both = {"src_size": len(of.contents[0]), "dst_size": len(of.contents[0])}
    _run(scene, _listed(scene, "LINEAR_SWAP", to, of) if listed else {**one, **both})
    to.require(scene, of.contents, "a buffer of the swap does not hold what the other had")
    of.require(scene, to.contents, "a buffer of the swap does not hold what the other had")


@proves("hsa_amd_memory_async_batch_copy/waits", examples=2)
def an_operation_waits_for_its_number(scene: Scene) -> None:
    """An operation starts when the masked number at its address compares as asked, not before.

    Bits outside the mask have no say.
    """
    some_gpu(scene)
    of, to = _pair(scene)
    name = scene.each("function", {name: name for name in _PASSES})
    mask = scene.draw(st.integers(1, (1 << 63) - 1))
    bits = scene.draw(NUMBERS) & mask
    others = [n & mask for n in (bits ^ (mask & -mask), scene.draw(NUMBERS), 0, mask)]
    passes, numbers = _PASSES[name], sorted({bits, *others})
    # At least two of the numbers differ, so there is a way for each comparison.
    bound = scene.choose([b for b in numbers if len({passes(n, b) for n in numbers}) > 1])
    near = sorted(numbers, key=lambda n: abs(n - bound))
    early = scene.choose([n for n in near if not passes(n, bound)])
    late = next(n for n in near if passes(n, bound))
    noise = scene.draw(NUMBERS) & ~mask
    number = shared_block(scene, "cpu")
    fill(scene, number, (early | noise).to_bytes(8, "little"))
    done = signal(scene, 1)
    waits = {
        "wait.function": _number(scene, WAITS + name),
        "wait.scope": _number(scene, "HSA_FENCE_SCOPE_SYSTEM"),
        "wait.addr": number,
        "wait.value": bound,
        "wait.mask": mask,
    }
    ends = {"src": of.addresses[0], "dst": to.addresses[0], "size": len(of.contents[0])}
    linear = {"type": _number(scene, f"{TYPES}LINEAR"), **ends}
    _start(scene, [_operation(scene, done, {**linear, **waits})])
    soon = wait(scene, done, seconds=SHORT)
    scene.require(soon == 1, "the copy is complete before its number compares as asked", soon)
    to.require(scene, to.contents, "the copy began before its number compared as asked")
    fill(scene, number, (late | noise).to_bytes(8, "little"))
    left = wait(scene, done)
    scene.require(
        left == 0, f"the copy is not complete {LONG:g} s after its number compared as asked", left
    )
    to.require(scene, of.contents, "the copy is complete and wrong")


@proves("hsa_amd_memory_async_batch_copy/signals")
def an_operation_changes_its_number(scene: Scene) -> None:
    """After an operation that signals, its 64-bit number was written, raised or lowered.

    The numbers on both sides stay.
    """
    some_gpu(scene)
    of, to = _pair(scene)
    name = scene.each("signal", {name: name for name in _CHANGES})
    before, old, behind, data = (scene.draw(st.integers(0, _MASK)) for _ in range(4))
    numbers = shared_block(scene, "cpu")
    fill(scene, numbers, b"".join(n.to_bytes(8, "little") for n in (before, old, behind)))
    changes = {
        "signal.operation": _number(scene, SIGNALS + name),
        "signal.scope": _number(scene, "HSA_FENCE_SCOPE_SYSTEM"),
        "signal.addr": numbers + 8,
        "signal.data": data,
    }
    ends = {"src": of.addresses[0], "dst": to.addresses[0], "size": len(of.contents[0])}
    _run(scene, {"type": _number(scene, f"{TYPES}LINEAR"), **ends, **changes})
    expected = (before, _CHANGES[name](old, data), behind)
    content = b"".join(n.to_bytes(8, "little") for n in expected)
    require_contents(scene, numbers, content, "the operation's number is not as asked")
