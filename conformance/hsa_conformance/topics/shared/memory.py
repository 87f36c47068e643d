"""Memory as the host sees it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_reports.demands import Shows


def require_contents(scene: Scene, address: int, expected: bytes, summary: str) -> None:
    """Demand what the host reads at an address.

    Args:
        scene: the property's scene.
        address: where.
        expected: the bytes.
        summary: what is wrong when they are others.

    """
    found = scene.session.read(address, len(expected))
    got = "memory that cannot be read" if found is None else f"found {found.hex(' ')[:95]}"
    scene.require(found == expected, summary, got, Shows(expected))


def fill(scene: Scene, address: int, content: bytes) -> None:
    """Write bytes as the host does, for a property that is not about that.

    Raises:
        CannotMake: the host cannot write there.

    """
    if not scene.session.write(address, content):
        raise CannotMake("the host cannot write to the block")


def require_apart(scene: Scene, blocks: Iterable[tuple[int, int]]) -> None:
    """Demand that no two blocks share an address.

    Args:
        scene: where it is demanded.
        blocks: of each its address and its size in bytes.

    """
    for (address, size), (following, _) in pairwise(sorted(blocks)):
        scene.require(
            address + size <= following,
            "a block begins inside another one",
            f"{following:#x}, {following - address} bytes behind a start",
        )


class Marks:
    """Four bytes that differ, at the edges of memory and at two places between.

    What happens to the memory as a whole happens to them, however large it is.

    Args:
        scene: where they are looked at.
        size: of the memory, in bytes.

    """

    def __init__(self, scene: Scene, size: int) -> None:
        self.scene = scene
        first: int = scene.draw(drawing.integers(1, 255))
        inside = (scene.draw(drawing.integers(0, size - 1)) for _ in range(2))
        places = sorted({0, size - 1, *inside})
        self.bytes = {place: bytes([(first + n) % 255 + 1]) for n, place in enumerate(places)}

    def put(self, address: int) -> None:
        """Write them to memory."""
        for place, byte in self.bytes.items():
            fill(self.scene, address + place, byte)

    def cover(self, address: int) -> None:
        """Write other bytes to their places."""
        for place, byte in self.bytes.items():
            fill(self.scene, address + place, bytes([byte[0] ^ 0xFF]))

    def require(self, address: int, summary: str) -> None:
        """Demand that they are there."""
        for place, byte in self.bytes.items():
            require_contents(self.scene, address + place, byte, f"{summary}, at {place:#x}")
