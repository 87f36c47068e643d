"""Copies of boxes of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import COUNTS, sizes
from hsa_conformance.topics.amd.copies.generators import (
    MOST,
    PITCH,
    SLICE,
    dim3,
    pitched,
    shared_block,
)
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import (
    completion,
    dependencies,
    require_counted_down,
    require_waits,
    wait,
    waiting,
)
from hsa_conformance.topics.shared.memory import fill, require_contents

proves = Proofs()

RECT: Final = "hsa_amd_memory_async_copy_rect"
#: The whole memory of each side: bytes of a row, rows of a slice, slices.
WHOLE: Final = (PITCH, SLICE // PITCH, MOST // SLICE)
#: The text leaves open whether the last one is refused.
DIRECTIONS: Final = ("hsaHostToDevice", "hsaDeviceToHost", "hsaDeviceToDevice", "hsaHostToHost")

#: On which sides rows and slices lie close together, by what reports call it.
CLOSE_TOGETHER: Final = {
    "apart": (),
    "close": ("to", "from"),
    "close in the source": ("from",),
    "close in the destination": ("to",),
}

#: The most bytes of a row, rows and slices of a box that is long in one direction, and the bits of
#: the narrow fields that its length has to exceed.
LONG: Final = (((1 << 16) + 1, (14, 16)), ((1 << 14) + 1, COUNTS), ((1 << 11) + 1, COUNTS))

#: The most bytes from a row to the next, which a field of 19 bits holds less one.
FARTHEST: Final = 1 << 19

Corner = tuple[int, int, int]


@dataclass(frozen=True)
class Side:
    """Memory of the host that has a box in it.

    Attributes:
        base: its address.
        pitch: bytes from one row to the next.
        slice: bytes from one slice to the next.
        corner: where the box begins: byte, row and slice.

    """

    base: int
    pitch: int
    slice: int
    corner: Corner

    def place(self, x: int, y: int, z: int) -> int:
        """Return the offset in the memory of a byte of the box, by its place in that."""
        first, row, slice_ = self.corner
        return first + x + (row + y) * self.pitch + (slice_ + z) * self.slice

    def corner_of(self, offset: int) -> Corner:
        """Return the place in the box of a byte of the memory, be it inside or outside."""
        z, rest = divmod(offset, self.slice)
        y, x = divmod(rest, self.pitch)
        return x - self.corner[0], y - self.corner[1], z - self.corner[2]


@dataclass
class Box:
    """A box that is copied from one memory of the host to another.

    Attributes:
        extent: its size in bytes, rows and slices.
        target: where it goes to.
        source: where it comes from.

    """

    scene: Scene
    extent: Corner
    target: Side
    source: Side

    def start(self, done: int, after: tuple[int, ...] = ()) -> None:
        """Make the call that a property is about.

        Raises:
            Blocked: it does not succeed.

        """
        scene = self.scene
        constants = scene.session.registry.constants
        answer = scene.call(
            RECT,
            dst=pitched(self.target.base, self.target.pitch, self.target.slice),
            dst_offset=dim3(*self.target.corner),
            src=pitched(self.source.base, self.source.pitch, self.source.slice),
            src_offset=dim3(*self.source.corner),
            range=dim3(*self.extent),
            copy_agent=some_gpu(scene).handle,
            dir=scene.each("direction", {d: constants[d] for d in DIRECTIONS}),
            **waiting(after),
            completion_signal=done,
        )
        if not answer.ok:
            raise scene.session.refusal(answer)

    def run(self) -> None:
        """Start it and wait for its end, for a property that is not about the signal."""
        done = signal(self.scene, 1)
        self.start(done)
        left = wait(self.scene, done)
        if left != 0:
            raise Blocked(f"{RECT}/completion", f"a completion signal of {left}")

    def rows(self) -> Iterator[tuple[int, int]]:
        """Return where each row of the box starts: in the destination, and in the source."""
        _, height, depth = self.extent
        for z in range(depth):
            for y in range(height):
                yield self.target.place(0, y, z), self.source.place(0, y, z)

    def expected(self, before: bytes, content: bytes) -> bytes:
        """Return what the destination's memory holds afterwards."""
        memory = bytearray(before)
        for to, of in self.rows():
            memory[to : to + self.extent[0]] = content[of : of + self.extent[0]]
        return bytes(memory)


def _content(scene: Scene) -> bytes:
    seed: bytes = scene.draw(drawing.binary(min_size=1, max_size=13))
    return (seed * MOST)[:MOST]


def _side(scene: Scene, extent: Corner, *, close: bool) -> Side:
    """Return memory whose rows and slices lie close together, or leave room around a box."""
    base = shared_block(scene, "cpu")
    if close:
        pitch = -(-extent[0] // 4) * 4
        return Side(base, pitch, pitch * extent[1], (0, 0, 0))
    x, y, z = (
        scene.draw(drawing.integers(0, most - length))
        for most, length in zip(WHOLE, extent, strict=True)
    )
    return Side(base, PITCH, SLICE, (x, y, z))


def _prepared(scene: Scene) -> tuple[Box, bytes, bytes]:
    """Return a box, what its destination holds, and what its source does."""
    some_gpu(scene)
    x, y, z = (scene.draw(drawing.integers(1, most)) for most in WHOLE)
    close = scene.each("rows", CLOSE_TOGETHER)
    target, source = (_side(scene, (x, y, z), close=side in close) for side in ("to", "from"))
    box = Box(scene, (x, y, z), target, source)
    content = _content(scene)
    before = bytes(byte ^ 0xFF for byte in content)
    fill(scene, box.source.base, content)
    fill(scene, box.target.base, before)
    return box, before, content


@proves("hsa_amd_memory_async_copy_rect/box-copied", examples=2)
def the_box_holds_the_bytes_of_the_source(scene: Scene) -> None:
    """After a copy of a box, each row of it holds the bytes of the source's row."""
    box, _, content = _prepared(scene)
    box.run()
    for to, of in box.rows():
        row = content[of : of + box.extent[0]]
        summary = "a row of the box is not the source's"
        require_contents(scene, box.target.base + to, row, summary)


def _long_side(scene: Scene, extent: Corner, along: int) -> Side:
    """Return memory for a box that is long in one direction, and begins anywhere in that one."""
    most, telling = LONG[along]
    corner = [scene.draw(drawing.integers(0, 1)) for _ in extent]
    corner[along] = scene.draw(sizes(0, most, telling=telling))
    x, y, z = (first + length for first, length in zip(corner, extent, strict=True))
    row = -(-x // 4) * 4
    # Few rows may lie far apart: that takes little of what is touched.
    pitch = scene.draw(sizes(row, FARTHEST if along == 0 else row + 8, 4))
    slice_ = (y + scene.draw(drawing.integers(0, 1))) * pitch
    slice_ += 4 * scene.draw(drawing.integers(0, 2))  # it need not be a multiple of the pitch
    base = shared_block(scene, "cpu", (z + 1) * slice_)
    return Side(base, pitch, slice_, (corner[0], corner[1], corner[2]))


def _long_box(scene: Scene) -> Box:
    """Return a box that is long in one direction, in memory with other pitches on each side."""
    some_gpu(scene)
    along: int = scene.choose([0, 1, 2])
    most, telling = LONG[along]
    extent = [scene.draw(drawing.integers(1, 2)) for _ in LONG]
    extent[along] = scene.draw(sizes(most=most, telling=telling))
    whole = extent[0], extent[1], extent[2]
    return Box(scene, whole, *(_long_side(scene, whole, along) for _ in range(2)))


@proves("hsa_amd_memory_async_copy_rect/box-copied")
def a_box_of_any_length_arrives(scene: Scene) -> None:
    """After a copy of a box that is long in a direction, bytes at its corners are the source's.

    So is one inside. The box begins anywhere in that direction, and pitches differ.
    """
    box = _long_box(scene)
    last = [length - 1 for length in box.extent]
    inside = [scene.draw(drawing.integers(0, most)) for most in last]
    places = {(0, 0, 0), (last[0], 0, 0), (0, last[1], last[2]), tuple(last), tuple(inside)}
    bytes_ = {place: bytes([0x51 + n]) for n, place in enumerate(sorted(places))}
    for (x, y, z), byte in bytes_.items():
        fill(scene, box.source.base + box.source.place(x, y, z), byte)
        fill(scene, box.target.base + box.target.place(x, y, z), bytes([byte[0] ^ 0xFF]))
    box.run()
    for (x, y, z), byte in bytes_.items():
        summary = f"byte {x} of row {y} of slice {z} of the box is not the source's"
        require_contents(scene, box.target.base + box.target.place(x, y, z), byte, summary)


@proves("hsa_amd_memory_async_copy_rect/rest-unchanged")
def what_lies_next_to_a_long_box_stays(scene: Scene) -> None:
    """A copy of a box that is long in a direction leaves the bytes that lie next to it."""
    box = _long_box(scene)
    width, height, depth = box.extent
    to = box.target
    first, last = to.place(0, 0, 0), to.place(width - 1, height - 1, depth - 1)
    beside = {first - 1, to.place(width, 0, 0), last + 1, to.place(0, height, 0)}
    outside = [
        offset
        for offset in sorted(beside | {to.place(0, 0, depth)})
        if offset >= 0
        and any(not 0 <= n < most for n, most in zip(to.corner_of(offset), box.extent, strict=True))
    ]
    for offset in outside:
        fill(scene, to.base + offset, b"\x5a")
    box.run()
    for offset in outside:
        x, y, z = to.corner_of(offset)
        summary = f"byte {x} of row {y} of slice {z}, outside the box, has changed"
        require_contents(scene, to.base + offset, b"\x5a", summary)


@proves("hsa_amd_memory_async_copy_rect/rest-unchanged", examples=2)
def what_lies_outside_the_box_stays(scene: Scene) -> None:
    """A copy of a box changes the destination inside the box only, and the source nowhere."""
    box, before, content = _prepared(scene)
    box.run()
    found = scene.session.read(box.target.base, MOST) or b""
    expected = bytearray(before)
    for to, _ in box.rows():  # within the box anything may stand, for this clause
        expected[to : to + box.extent[0]] = found[to : to + box.extent[0]]
    require_contents(scene, box.target.base, bytes(expected), "bytes outside the box have changed")
    require_contents(scene, box.source.base, content, "the copy changed its source")


@proves("hsa_amd_memory_async_copy_rect/after-dependencies")
def a_box_waits_for_its_signals(scene: Scene) -> None:
    """A copy of a box begins when all dependency signals are 0, and not before."""
    box, before, content = _prepared(scene)
    after = dependencies(scene)
    done = signal(scene, 1)
    box.start(done, after)
    require_waits(scene, done, after, untouched=(box.target.base, before))
    summary = "the copy is complete and wrong"
    require_contents(scene, box.target.base, box.expected(before, content), summary)


@proves("hsa_amd_memory_async_copy_rect/completion")
def the_completion_signal_of_a_box_goes_down_by_one(scene: Scene) -> None:
    """A copy of a box takes its completion signal down by one, whatever its value."""
    box, _, _ = _prepared(scene)
    initial = scene.draw(drawing.integers(-4, 4))
    done = completion(scene, initial)
    box.start(done)
    require_counted_down(scene, done, initial)
