"""How much of its structure hsa_amd_pointer_info fills in, for callers of every release."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import PATTERN
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.pools.blocks import allocate
from hsa_conformance.topics.shared.pointer_info import FUNCTION, info, structure

proves = Proofs()

#: More bytes than the structure will ever have.
HUGE: Final = 4096
#: The size of the structure in the first releases, in bytes.
SMALLEST: Final = 56


def _sized(scene: Scene, size: int) -> tuple[bool, bytes]:
    """Ask with a structure that says it has `size` bytes; return success and what it then holds."""
    place = info(scene, size, room=HUGE)
    kinds = {"a block": lambda: allocate(scene).address, "unknown memory": scene.readable}
    answer = scene.call(
        FUNCTION,
        ptr=scene.each("memory", kinds)(),
        info=place,
        alloc=0,
        num_agents_accessible=0,
        accessible=0,
    )
    return answer.ok, scene.session.read(place, HUGE) or b""


@proves("hsa_amd_pointer_info/bytes-beyond-size", examples=4)
def no_byte_behind_the_size_is_written(scene: Scene) -> None:
    """Whatever size the caller gives, nothing is written behind that size or the one returned."""
    size = scene.draw(drawing.integers(4, 2 * structure(scene).size))
    ok, data = _sized(scene, size)
    end = min(size, int.from_bytes(data[:4], "little")) if ok else size
    rest = data[end:]
    scene.require(
        not rest.strip(bytes([PATTERN])),
        f"bytes behind the {end} bytes in use of a structure of {size} bytes were written",
        rest[:64].hex(" "),
    )


@proves("hsa_amd_pointer_info/size-on-return", examples=2)
def the_size_on_return_is_the_smaller_one(scene: Scene) -> None:
    """The size on return is the smaller of the caller's size and the one the runtime knows."""
    ok, data = _sized(scene, HUGE)
    if not ok:
        raise Blocked(f"{FUNCTION}/success", "an error")
    known = int.from_bytes(data[:4], "little")
    scene.require(known < HUGE, "the size of the caller comes back instead of what is known", known)
    size = scene.draw(drawing.integers(SMALLEST, 2 * structure(scene).size))
    ok, data = _sized(scene, size)
    if not ok:
        raise Blocked(f"{FUNCTION}/success", "an error")
    returned = int.from_bytes(data[:4], "little")
    scene.require(
        returned == min(size, known),
        f"the size on return is not the smaller of the caller's {size} and the runtime's {known}",
        returned,
    )
