"""Properties of transfers between files and memory of devices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.values.geometry import MOST_UNTOUCHED, sizes
from hsa_conformance.topics.amd.files.generators import discover
from hsa_conformance.topics.amd.files.state import FEATURE
from hsa_conformance.topics.amd.ipc.generators import gpu_block, gpu_pools
from hsa_conformance.topics.amd.pools.device_copies import seen_by_gpu, written_by_gpu
from hsa_conformance.topics.amd.pools.fixtures import allocate
from hsa_reports import Verdict

proves = Proofs()

WRITE: Final = "hsa_amd_ais_file_write"
READ: Final = "hsa_amd_ais_file_read"


def _transfer(scene: Scene, function: str, file: int, address: int, size: int, at: int) -> Answer:
    """Move bytes, as preparation or under test; `size_copied` and `status` start as zero."""
    discover(scene)
    if not scene.session.model.supports(FEATURE):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the driver moves nothing between files and GPUs")
    return scene.set_up(
        function,
        handle=file,
        devicePtr=address,
        size=size,
        file_offset=at,
        size_copied=scene.session.place(bytes(8), "&size_copied"),
        status=scene.session.place(bytes(4), "&status"),
    )


@dataclass(frozen=True)
class _Transfer:
    """A file, a place in it, and memory of a GPU for as many bytes, which seldom begins a block.

    Attributes:
        file: the descriptor.
        at: the place.
        address: of the memory.
        size: how many bytes.

    """

    file: int
    at: int
    address: int
    size: int

    def make(self, scene: Scene, function: str, address: int | None = None) -> Answer:
        """Move the bytes, from or to other memory if an address is given."""
        return _transfer(scene, function, self.file, address or self.address, self.size, self.at)


def _drawn(scene: Scene, count: int = 1) -> _Transfer:
    """Draw a transfer, and open a file with room for so many of them, one behind the other."""
    block = gpu_block(scene)
    size = scene.draw(sizes(most=block.size))
    address = block.address + scene.draw(sizes(0, block.size - size))
    at = scene.draw(sizes(0, MOST_UNTOUCHED))
    return _Transfer(scene.session.open_file(at + count * size), at, address, size)


def _counts_what_it_moved(function: str, scene: Scene) -> None:
    transfer = _drawn(scene)
    counted = scene.session.read(transfer.make(scene, function).args["size_copied"], 8) or b""
    scene.require(
        int.from_bytes(counted, "little") == transfer.size,
        f"the number of bytes is not {transfer.size}",
        counted.hex(" "),
    )


@proves("hsa_amd_ais_file_write/count-written")
def a_write_counts_its_bytes(scene: Scene) -> None:
    """A write to a file with room reports as many bytes as were asked for."""
    _counts_what_it_moved(WRITE, scene)


@proves("hsa_amd_ais_file_read/count-written")
def a_read_counts_its_bytes(scene: Scene) -> None:
    """A read from a file that has the bytes reports as many as were asked for."""
    _counts_what_it_moved(READ, scene)


def _there_and_back(scene: Scene) -> None:
    transfer = _drawn(scene, 2)
    content = (b"\x5a" + scene.draw(drawing.binary(max_size=15)))[: transfer.size]
    place = scene.draw(sizes(0, transfer.size - len(content)))
    written_by_gpu(scene, transfer.address + place, content)
    transfer.make(scene, WRITE)
    pool = scene.choose(gpu_pools(scene))
    other = allocate(scene, pool, transfer.size)
    # Where a library heeds no place in the file, this goes over what was written before.
    written_by_gpu(scene, other + place, bytes(byte ^ 0xFF for byte in content))
    replace(transfer, at=transfer.at + transfer.size).make(scene, WRITE, other)
    transfer.make(scene, READ, other)
    found = seen_by_gpu(scene, other + place, len(content))
    scene.require(
        found == content,
        f"{content.hex(' ')}, written to a file and read back, is not in the memory",
        "memory that cannot be read" if found is None else found.hex(" "),
    )


@proves("hsa_amd_ais_file_write/moved")
def a_write_puts_the_memory_into_the_file(scene: Scene) -> None:
    """What is written to a file is found when the file is read there into other memory.

    Other bytes were written after it meanwhile.
    """
    _there_and_back(scene)


@proves("hsa_amd_ais_file_read/moved")
def a_read_puts_the_file_into_the_memory(scene: Scene) -> None:
    """A read puts into memory what was written there to the file before.

    Other bytes were written after it meanwhile.
    """
    _there_and_back(scene)
