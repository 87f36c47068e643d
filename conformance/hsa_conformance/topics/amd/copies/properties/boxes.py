"""Copies of boxes of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
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

Corner = tuple[int, int, int]


@dataclass
class Box:
    """A box that is copied from one memory of the host to another.

    Attributes:
        extent: its size in bytes, rows and slices.
        target: the address of the memory that it goes to, and `to` its place there.
        source: the address of the memory that it comes from, and `of` its place there.

    """

    scene: Scene
    extent: Corner
    target: int
    to: Corner
    source: int
    of: Corner

    def start(self, done: int, after: tuple[int, ...] = ()) -> None:
        """Make the call that a property is about.

        Raises:
            Blocked: it does not succeed.

        """
        scene = self.scene
        constants = scene.session.registry.constants
        answer = scene.call(
            RECT,
            dst=pitched(self.target),
            dst_offset=dim3(*self.to),
            src=pitched(self.source),
            src_offset=dim3(*self.of),
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
                yield _place(self.to, y, z), _place(self.of, y, z)

    def expected(self, before: bytes, content: bytes) -> bytes:
        """Return what the destination's memory holds afterwards."""
        memory = bytearray(before)
        for to, of in self.rows():
            memory[to : to + self.extent[0]] = content[of : of + self.extent[0]]
        return bytes(memory)


def _place(corner: Corner, y: int, z: int) -> int:
    return corner[0] + (corner[1] + y) * PITCH + (corner[2] + z) * SLICE


def _content(scene: Scene) -> bytes:
    seed: bytes = scene.draw(drawing.binary(min_size=1, max_size=13))
    return (seed * MOST)[:MOST]


def _prepared(scene: Scene) -> tuple[Box, bytes, bytes]:
    """Return a box, what its destination holds, and what its source does."""
    some_gpu(scene)
    extent = tuple(scene.draw(drawing.integers(1, most)) for most in WHOLE)
    corners = [
        tuple(
            scene.draw(drawing.integers(0, most - e)) for most, e in zip(WHOLE, extent, strict=True)
        )
        for _ in range(2)
    ]
    to, of = ((c[0], c[1], c[2]) for c in corners)
    target, source = shared_block(scene, "cpu"), shared_block(scene, "cpu")
    box = Box(scene, (extent[0], extent[1], extent[2]), target, to, source, of)
    content = _content(scene)
    before = bytes(byte ^ 0xFF for byte in content)
    fill(scene, source, content)
    fill(scene, target, before)
    return box, before, content


@proves("hsa_amd_memory_async_copy_rect/box-copied", examples=2)
def the_box_holds_the_bytes_of_the_source(scene: Scene) -> None:
    """After a copy of a box, each row of it holds the bytes of the source's row."""
    box, _, content = _prepared(scene)
    box.run()
    for to, of in box.rows():
        row = content[of : of + box.extent[0]]
        require_contents(scene, box.target + to, row, "a row of the box is not the source's")


@proves("hsa_amd_memory_async_copy_rect/rest-unchanged", examples=2)
def what_lies_outside_the_box_stays(scene: Scene) -> None:
    """A copy of a box changes the destination inside the box only, and the source nowhere."""
    box, before, content = _prepared(scene)
    box.run()
    found = scene.session.read(box.target, MOST) or b""
    expected = bytearray(before)
    for to, _ in box.rows():  # within the box anything may stand, for this clause
        expected[to : to + box.extent[0]] = found[to : to + box.extent[0]]
    require_contents(scene, box.target, bytes(expected), "bytes outside the box have changed")
    require_contents(scene, box.source, content, "the copy changed its source")


@proves("hsa_amd_memory_async_copy_rect/after-dependencies")
def a_box_waits_for_its_signals(scene: Scene) -> None:
    """A copy of a box begins when all dependency signals are 0, and not before."""
    box, before, content = _prepared(scene)
    after = dependencies(scene)
    done = signal(scene, 1)
    box.start(done, after)
    require_waits(scene, done, after, untouched=(box.target, before))
    summary = "the copy is complete and wrong"
    require_contents(scene, box.target, box.expected(before, content), summary)


@proves("hsa_amd_memory_async_copy_rect/completion")
def the_completion_signal_of_a_box_goes_down_by_one(scene: Scene) -> None:
    """A copy of a box takes its completion signal down by one, whatever its value."""
    box, _, _ = _prepared(scene)
    initial = scene.draw(drawing.integers(-4, 4))
    done = completion(scene, initial)
    box.start(done)
    require_counted_down(scene, done, initial)
