"""Batches of copies: what their operations wait for, copy, and change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.copies.generators import shared_block
from hsa_conformance.topics.amd.copies.properties.operations import (
    PLACES,
    ROOM,
    TYPES,
    Places,
    agents,
    array,
    drawn_sizes,
    linear,
    listed,
    number,
    operation,
    pair,
    run,
    start,
)
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import dependencies, wait
from hsa_conformance.topics.shared.memory import fill, require_contents
from hsa_conformance.topics.shared.signals import MOMENT, PATIENCE, store

proves = Proofs()

WAITS: Final = "HSA_AMD_MEMORY_COPY_WAIT_"
SIGNALS: Final = "HSA_AMD_MEMORY_COPY_SIGNAL_"
#: Numbers that are the same with a sign and without.
NUMBERS: Final = drawing.integers(0, (1 << 63) - 1)
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


@proves("hsa_amd_memory_async_batch_copy/each-completes", examples=2)
def the_signal_goes_down_by_one_for_each_copy_that_is_there(scene: Scene) -> None:
    """A batch takes the completion signal of its copies down by one for each, whatever its value.

    By then the bytes of each are at their destination, be they named by address, by a pointer that
    is followed, or in lists of one operation.
    """
    some_gpu(scene)
    sizes = drawn_sizes(scene, scene.choose([PLACES, 2, 1]))
    of = Places.drawn(scene, sizes)
    to = of.opposite(scene)
    lists = scene.each("entries", {"one": False, "list": True})
    count = 1 if lists else len(sizes)
    initial = count - scene.draw(drawing.integers(0, 4))
    done = signal(scene, initial)
    rows = zip(to.addresses, of.addresses, sizes, strict=True)
    members = [listed(scene, "LINEAR", to, of)] if lists else [linear(scene, *row) for row in rows]
    start(scene, [operation(scene, done, each) for each in members])
    left = wait(scene, done, below=initial - count + 1)
    scene.require(
        left == initial - count,
        f"the completion signal of {count} copies did not go from {initial} to {initial - count}",
        left,
    )
    to.require(scene, of.contents, "a copy is complete, and its bytes are not there")


@proves("hsa_amd_memory_async_batch_copy/after-dependencies")
def a_batch_waits_for_its_signals(scene: Scene) -> None:
    """The copies of a batch begin when all dependency signals are 0, and none of them before."""
    some_gpu(scene)
    sizes = drawn_sizes(scene, scene.choose([PLACES, 2, 1]))
    of = Places.drawn(scene, sizes)
    to = of.opposite(scene)
    after = dependencies(scene)
    signals = [signal(scene, 1) for _ in sizes]
    plain = {"type": number(scene, f"{TYPES}LINEAR")}
    rows = zip(signals, of.addresses, to.addresses, sizes, strict=True)
    operations = [
        operation(scene, done, {**plain, "src": source, "dst": target, "size": size})
        for done, source, target, size in rows
    ]
    start(scene, operations, after)
    for dependency in after:
        early = [wait(scene, done, seconds=MOMENT) for done in signals]
        scene.require(
            all(left == 1 for left in early),
            "a copy is complete before all signals of the batch were 0",
            early,
        )
        to.require(scene, to.contents, "a copy began before all signals of the batch were 0")
        store(scene, dependency, 0)
    late = [wait(scene, done) for done in signals]
    scene.require(
        not any(late),
        f"a copy is not complete {PATIENCE:g} s after all signals of the batch were 0",
        late,
    )
    to.require(scene, of.contents, "a copy is complete and wrong")


@proves("hsa_amd_memory_async_batch_copy/broadcast")
def a_broadcast_reaches_each_destination(scene: Scene) -> None:
    """After a broadcast, each of its destinations holds the bytes of its source, and no more."""
    some_gpu(scene)
    sizes = drawn_sizes(scene, 1)
    of = Places.drawn(scene, sizes)
    to = Places.drawn(scene, [ROOM] * scene.draw(drawing.integers(1, PLACES)))
    count = len(to.addresses)
    ends = {"dst": array(scene, to.addresses), "dst_agent": agents(scene, count)}
    kind = {"type": number(scene, f"{TYPES}LINEAR_BROADCAST"), "num_entries": count}
    run(scene, {**kind, "src": of.addresses[0], **ends, "size": len(of.contents[0])})
    expected = [of.contents[0] + before[len(of.contents[0]) :] for before in to.contents]
    to.require(scene, expected, "a destination of the broadcast does not hold the source's bytes")


@proves("hsa_amd_memory_async_batch_copy/swap")
def a_swap_exchanges_its_buffers(scene: Scene) -> None:
    """After a swap, each of its two buffers holds what the other one had; several may be listed."""
    some_gpu(scene)
    lists = scene.each("entries", {"one": False, "list": True})
    sizes = drawn_sizes(scene, scene.choose([PLACES, 2, 1]) if lists else 1)
    of = Places.drawn(scene, sizes)
    to = of.opposite(scene)
    ends = {"src": of.addresses[0], "dst": to.addresses[0]}
    one = {"type": number(scene, f"{TYPES}LINEAR_SWAP"), **ends}
    both = {"src_size": len(of.contents[0]), "dst_size": len(of.contents[0])}
    run(scene, listed(scene, "LINEAR_SWAP", to, of) if lists else {**one, **both})
    to.require(scene, of.contents, "a buffer of the swap does not hold what the other had")
    of.require(scene, to.contents, "a buffer of the swap does not hold what the other had")


@proves("hsa_amd_memory_async_batch_copy/waits", examples=2)
def an_operation_waits_for_its_number(scene: Scene) -> None:
    """An operation starts when the masked number at its address compares as asked, not before.

    Bits outside the mask have no say.
    """
    some_gpu(scene)
    of, to = pair(scene)
    name = scene.each("function", {name: name for name in _PASSES})
    mask = scene.draw(drawing.integers(1, (1 << 63) - 1))
    bits = scene.draw(NUMBERS) & mask
    others = [n & mask for n in (bits ^ (mask & -mask), scene.draw(NUMBERS), 0, mask)]
    passes, numbers = _PASSES[name], sorted({bits, *others})
    # At least two of the numbers differ, so there is a way for each comparison.
    bound = scene.choose([b for b in numbers if len({passes(n, b) for n in numbers}) > 1])
    near = sorted(numbers, key=lambda n: abs(n - bound))
    early = scene.choose([n for n in near if not passes(n, bound)])
    late = next(n for n in near if passes(n, bound))
    noise = scene.draw(NUMBERS) & ~mask
    place = shared_block(scene, "cpu")
    fill(scene, place, (early | noise).to_bytes(8, "little"))
    done = signal(scene, 1)
    waits = {
        "wait.function": number(scene, WAITS + name),
        "wait.scope": number(scene, "HSA_FENCE_SCOPE_SYSTEM"),
        "wait.addr": place,
        "wait.value": bound,
        "wait.mask": mask,
    }
    ends = {"src": of.addresses[0], "dst": to.addresses[0], "size": len(of.contents[0])}
    plain = {"type": number(scene, f"{TYPES}LINEAR"), **ends}
    start(scene, [operation(scene, done, {**plain, **waits})])
    soon = wait(scene, done, seconds=MOMENT)
    scene.require(soon == 1, "the copy is complete before its number compares as asked", soon)
    to.require(scene, to.contents, "the copy began before its number compared as asked")
    fill(scene, place, (late | noise).to_bytes(8, "little"))
    left = wait(scene, done)
    scene.require(
        left == 0,
        f"the copy is not complete {PATIENCE:g} s after its number compared as asked",
        left,
    )
    to.require(scene, of.contents, "the copy is complete and wrong")


@proves("hsa_amd_memory_async_batch_copy/signals")
def an_operation_changes_its_number(scene: Scene) -> None:
    """After an operation that signals, its 64-bit number was written, raised or lowered.

    The numbers on both sides stay.
    """
    some_gpu(scene)
    of, to = pair(scene)
    name = scene.each("signal", {name: name for name in _CHANGES})
    before, old, behind, data = (scene.draw(drawing.integers(0, _MASK)) for _ in range(4))
    numbers = shared_block(scene, "cpu")
    fill(scene, numbers, b"".join(n.to_bytes(8, "little") for n in (before, old, behind)))
    changes = {
        "signal.operation": number(scene, SIGNALS + name),
        "signal.scope": number(scene, "HSA_FENCE_SCOPE_SYSTEM"),
        "signal.addr": numbers + 8,
        "signal.data": data,
    }
    ends = {"src": of.addresses[0], "dst": to.addresses[0], "size": len(of.contents[0])}
    run(scene, {"type": number(scene, f"{TYPES}LINEAR"), **ends, **changes})
    expected = (before, _CHANGES[name](old, data), behind)
    content = b"".join(n.to_bytes(8, "little") for n in expected)
    require_contents(scene, numbers, content, "the operation's number is not as asked")
