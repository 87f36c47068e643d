"""Copies of a row of bytes between two agents, with an engine of choice or without."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.topics.amd.copies.generators import MOST
from hsa_conformance.topics.amd.copies.properties.ways import Copy
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import (
    completion,
    dependencies,
    require_counted_down,
    require_waits,
    wait,
)
from hsa_conformance.topics.shared.memory import Marks, fill, require_contents
from hsa_conformance.topics.shared.signals import MOMENT

proves = Proofs()


def _content(scene: Scene) -> bytes:
    """Return some bytes, now and then many."""
    size: int = scene.choose([scene.draw(drawing.integers(1, 64)), MOST])
    seed: bytes = scene.draw(drawing.binary(min_size=1, max_size=16))
    return (seed * size)[:size]


def _inverse(content: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in content)


def _prepared(scene: Scene, content: bytes) -> Copy:
    """Return a copy of a content to where none of its bytes stands yet."""
    way = Copy(scene, len(content))
    fill(scene, way.source[0], content)
    fill(scene, way.target[0], _inverse(content))
    return way


@proves("hsa_amd_memory_async_copy/copied", examples=2)
@proves("hsa_amd_memory_async_copy_on_engine/copied", examples=2)
def the_destination_holds_what_the_source_held(scene: Scene) -> None:
    """After a copy, by way of a GPU too, the destination holds the bytes of the source.

    Nothing is written behind them.
    """
    content = _content(scene)
    way = _prepared(scene, content)
    target = way.target[0]
    if not (scene.draw(drawing.booleans()) and way.through_gpu()):
        way.run()
    require_contents(scene, target, content, "the destination does not hold the source's bytes")
    if len(content) < MOST:
        fill(scene, target, bytes(len(content) + 1))
        fill(scene, way.source[0], content + b"\1")
        way.run()
        summary = "the copy went on behind its end"
        require_contents(scene, target, content + b"\0", summary)


@proves("hsa_amd_memory_async_copy/copied")
@proves("hsa_amd_memory_async_copy_on_engine/copied")
def a_copy_of_any_size_is_complete(scene: Scene) -> None:
    """After a copy of a byte, of pages or of more, the destination holds the bytes of its source.

    The byte after the destination stays as it was.
    """
    way = Copy(scene, scene.draw(sizes()))
    marks = Marks(scene, way.size)
    marks.put(way.source[0])
    marks.cover(way.target[0])
    fill(scene, way.target[0] + way.size, b"\1")
    way.run()
    marks.require(way.target[0], "the destination does not hold the source's bytes")
    after = way.target[0] + way.size
    require_contents(scene, after, b"\1", "the copy went on after its end")


@proves("hsa_amd_memory_async_copy/after-dependencies")
@proves("hsa_amd_memory_async_copy_on_engine/after-dependencies")
def a_copy_waits_for_its_signals(scene: Scene) -> None:
    """A copy begins when all dependency signals are 0, and not before."""
    content = _content(scene)
    way = _prepared(scene, content)
    after = dependencies(scene)
    done = signal(scene, 1)
    way.start(done, after)
    require_waits(scene, done, after, untouched=(way.target[0], _inverse(content)))
    require_contents(scene, way.target[0], content, "the copy is complete and wrong")


@proves("hsa_amd_memory_async_copy/completion")
@proves("hsa_amd_memory_async_copy_on_engine/completion")
def the_completion_signal_goes_down_by_one(scene: Scene) -> None:
    """A copy takes its completion signal down by one, whatever its value."""
    way = _prepared(scene, _content(scene))
    initial = scene.draw(drawing.integers(-4, 4))
    done = completion(scene, initial)
    way.start(done)
    require_counted_down(scene, done, initial)


@proves("hsa_amd_memory_async_copy/size-zero-copies-nothing")
@proves("hsa_amd_memory_async_copy_on_engine/size-zero-copies-nothing")
def a_copy_of_no_bytes_changes_nothing(scene: Scene) -> None:
    """A copy with a size of 0 leaves the destination as it was."""
    content = _content(scene)
    way = _prepared(scene, content)
    way.size = 0
    done = signal(scene, 1)
    way.start(done)
    wait(scene, done, seconds=MOMENT)
    summary = "a copy of no bytes changed the destination"
    require_contents(scene, way.target[0], _inverse(content), summary)
