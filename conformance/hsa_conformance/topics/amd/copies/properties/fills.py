"""Memory that is filled with a number."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import sizes, within
from hsa_conformance.topics.amd.pools.fixtures import allocate, known_pools, new_block
from hsa_conformance.topics.amd.pools.state import Allocation
from hsa_conformance.topics.shared.memory import fill, require_contents

proves = Proofs()

FILL: Final = "hsa_amd_memory_fill"
#: Words of what an engine may fill at once, 64 bytes.
_VECTOR: Final = 16

EQUAL: Final = "equal"
DIFFERENT: Final = "different"


def _block(scene: Scene) -> Allocation:
    """Allocate memory of the host that no GPU can access: filling other memory takes kernels."""
    return new_block(
        scene, scene.choose(known_pools(scene, lambda p: p.allocatable and p.location == "cpu"))
    )


def _value(scene: Scene, *kinds: str) -> int:
    """Draw a word, each of whose bytes is the same or another one: one may be all that counts."""
    values = {EQUAL: 0x01010101, DIFFERENT: 0x01020304}
    options = {kind: values[kind] * scene.draw(drawing.integers(1, 63)) for kind in kinds}
    value: int = scene.each("bytes of the value", options)
    return value


@proves("hsa_amd_memory_fill/filled", examples=2)
def each_word_has_the_value(scene: Scene) -> None:
    """After a fill, each word of the memory has the value."""
    value, count = _value(scene, EQUAL, DIFFERENT), scene.draw(drawing.integers(1, 16))
    word = value.to_bytes(4, "little")
    block = _block(scene)
    if scene.choose([False, True]):
        count = block.size // 4 - 4
    start = block.address + 4 * scene.draw(drawing.integers(0, 4))
    fill(scene, start, bytes(byte ^ 0xFF for byte in word * count))
    scene.set_up(FILL, ptr=start, value=value, count=count)
    require_contents(scene, start, word * count, f"not each word is {value:#x}")


def _filled(scene: Scene, value: int) -> tuple[int, int]:
    """Fill a word, pages or more; return where the words begin, and how many they are.

    They begin with a vector or within one: an engine may fill what is no whole one by itself.
    """
    pool = scene.choose(known_pools(scene, lambda p: p.allocatable and p.location == "cpu"))
    count: int = scene.draw(sizes(most=within(pool.size) // 4))
    first = scene.draw(drawing.just(0) | drawing.integers(1, _VECTOR - 1))
    start = allocate(scene, pool, 4 * (first + count + 1)) + 4 * first
    fill(scene, start + 4 * count, bytes(4))
    scene.set_up(FILL, ptr=start, value=value, count=count)
    return start, count


@proves("hsa_amd_memory_fill/filled")
def as_many_words_are_filled_as_asked_for(scene: Scene) -> None:
    """A fill of one word, of pages or of more reaches its last word.

    All bytes of the value are equal, so that one of them in each place is enough.
    """
    value = _value(scene, EQUAL)
    start, count = _filled(scene, value)
    for place in sorted({0, scene.draw(drawing.integers(0, count - 1)), count - 1}):
        summary = f"word {place} of {count} is not filled"
        require_contents(scene, start + 4 * place, value.to_bytes(4, "little"), summary)


@proves("hsa_amd_memory_fill/no-further")
def the_word_after_the_last_one_stays(scene: Scene) -> None:
    """A fill of one word, of pages or of more leaves the word after its last one as it was."""
    start, count = _filled(scene, 0x01010101 * scene.draw(drawing.integers(1, 255)))
    require_contents(scene, start + 4 * count, bytes(4), "the word after the last one has changed")


@proves("hsa_amd_memory_fill/no-further")
def filling_ends_with_the_last_word(scene: Scene) -> None:
    """A fill leaves the bytes before and behind the words as they were."""
    count = scene.draw(drawing.integers(1, 16))
    start = _block(scene).address
    frame = scene.draw(drawing.binary(min_size=8, max_size=8))
    fill(scene, start, frame + bytes(4 * count) + frame)
    value = 0x01010101 * scene.draw(drawing.integers(0, 255))
    scene.set_up(FILL, ptr=start + 8, value=value, count=count)
    require_contents(scene, start, frame, "bytes before the words have changed")
    require_contents(scene, start + 8 + 4 * count, frame, "bytes behind the words have changed")
