"""Properties of transfers between files and memory of devices."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
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


def _drawn(scene: Scene) -> tuple[int, int, int, bytes]:
    """Return a file, memory of a GPU, an offset in the file, and bytes to move."""
    block = gpu_block(scene)
    file = scene.session.open_file(8 * scene.granule())
    content = b"\x5a" + bytes(scene.draw(drawing.binary(min_size=1, max_size=63)))
    return file, block.address, scene.draw(drawing.integers(0, 4 * scene.granule())), content


def _counts_what_it_moved(function: str, scene: Scene) -> None:
    granule, few = scene.granule(), scene.draw(drawing.integers(1, 64))
    address = allocate(scene, scene.choose(gpu_pools(scene)), 2 * granule)
    file, at = scene.session.open_file(8 * granule), scene.draw(drawing.integers(0, 4 * granule))
    size = scene.each("size", {"few bytes": few, "more than a granule": granule + few})
    answer = _transfer(scene, function, file, address, size, at)
    counted = scene.session.read(answer.args["size_copied"], 8) or b""
    scene.require(
        int.from_bytes(counted, "little") == size,
        f"the number of bytes is not {size}",
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
    file, address, at, content = _drawn(scene)
    written_by_gpu(scene, address, content)
    _transfer(scene, WRITE, file, address, len(content), at)
    other = gpu_block(scene)
    _transfer(scene, READ, file, other.address, len(content), at)
    found = seen_by_gpu(scene, other.address, len(content))
    scene.require(
        found == content,
        f"{content.hex(' ')}, written to a file and read back, is not in the memory",
        "memory that cannot be read" if found is None else found.hex(" "),
    )


@proves("hsa_amd_ais_file_write/moved")
def a_write_puts_the_memory_into_the_file(scene: Scene) -> None:
    """What is written to a file is found when the file is read into other memory."""
    _there_and_back(scene)


@proves("hsa_amd_ais_file_read/moved")
def a_read_puts_the_file_into_the_memory(scene: Scene) -> None:
    """A read puts into memory what was written to the file before."""
    _there_and_back(scene)
