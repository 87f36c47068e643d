"""Properties of memory that is exported for other drivers, as another process then maps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import RESOURCE_FREE, SUCCESS
from hsa_conformance.topics.amd.dmabuf.generators import export, exportable_block, part
from hsa_conformance.topics.amd.interop.generators import MAP
from hsa_conformance.topics.amd.ipc.generators import another_like
from hsa_conformance.topics.amd.pools.device_copies import seen_by_gpu, written_by_gpu
from hsa_conformance.topics.amd.pools.fixtures import allocate_block, known_pools
from hsa_conformance.topics.amd.pools.state import Allocation
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.ends import FEW, doomed_partner, end_partner, partner
from hsa_reports.demands import Shows
from hsa_spec import DecidedBy

proves = Proofs()

OLD: Final = "hsa_amd_portable_export_dmabuf"
NEW: Final = "hsa_amd_portable_export_dmabuf_v2"
CLOSE: Final = "hsa_amd_portable_close_dmabuf"


def _export(scene: Scene, function: str, address: int, size: int) -> Answer:
    values: dict[str, Value] = {"ptr": address, "size": size, "dmabuf": Out(), "offset": Out()}
    if function == NEW:
        values["flags"] = 0
    return scene.call(function, **values)


def _exported(scene: Scene, function: str, address: int, size: int) -> tuple[int, int]:
    """Export memory with one of the functions; return the descriptor and the offset."""
    if function == OLD:
        return export(scene, address, size)
    answer = scene.set_up(NEW, ptr=address, size=size, dmabuf=Out(), offset=Out(), flags=0)
    return answer["dmabuf"], answer.number("offset")


def _mapped_elsewhere(scene: Scene, descriptor: int) -> tuple[Scene, int, int]:
    """Map a dma-buf in the second process; return its scene, the descriptor and the address."""
    other = partner(scene)
    sent = scene.session.send_descriptor(descriptor)
    return other, sent, _mapped(other, sent)


def _mapped(scene: Scene, descriptor: int) -> int:
    """Map a dma-buf for all GPUs, as preparation, and return the address."""
    return scene.set_up(MAP, **_mapping(scene, descriptor))["ptr"]


def _mapping(scene: Scene, descriptor: int) -> dict[str, Value]:
    """Return the arguments that map a dma-buf for all GPUs."""
    gpus = [agent.handle for agent in known_agents(scene, "gpu")]
    return {
        "num_agents": len(gpus),
        "agents": handle_array(gpus),
        "interop_handle": descriptor,
        "flags": 0,
        "size": Out(),
        "ptr": Out(),
        "metadata_size": 0,
        "metadata": 0,
    }


@dataclass(frozen=True)
class MarkedPart:
    """A part of a block, and bytes that stand somewhere in it.

    Attributes:
        block: the block.
        start: the address of the part.
        size: its bytes.
        place: of the bytes in it.
        content: the bytes.

    """

    block: Allocation
    start: int
    size: int
    place: int
    content: bytes


def _marked(scene: Scene) -> MarkedPart:
    """Allocate, choose a part, and mark a place of it."""
    block = exportable_block(scene)
    start, size = part(scene, block)
    content = (b"\x5a" + scene.draw(drawing.binary(max_size=15)))[:size]
    place = scene.draw(sizes(0, size - len(content)))
    written_by_gpu(scene, start + place, content)
    return MarkedPart(block, start, size, place, content)


def _require_shown(scene: Scene, other: Scene, address: int, marked: MarkedPart) -> None:
    content = marked.content
    found = seen_by_gpu(other, address + marked.place, len(content))
    scene.require(
        found == content,
        f"{content.hex(' ')} is not what the second process finds at the offset",
        "memory that cannot be read" if found is None else found.hex(" "),
        Shows(content),
    )


@proves.each((OLD, NEW), "offset-inside")
def the_memory_is_at_its_offset(scene: Scene) -> None:
    """Another process maps the dma-buf and finds the bytes of the range at the offset written."""
    function = scene.clause.function
    marked = _marked(scene)
    descriptor, offset = _exported(scene, function, marked.start, marked.size)
    other, _, address = _mapped_elsewhere(scene, descriptor)
    _require_shown(scene, other, address + offset, marked)


@proves.each((OLD, NEW), "outlives-free")
def the_memory_outlives_its_block(scene: Scene) -> None:
    """After the exported block is freed, the dma-buf is mapped elsewhere and has the bytes."""
    function = scene.clause.function
    marked = _marked(scene)
    descriptor, offset = _exported(scene, function, marked.start, marked.size)
    scene.set_up("hsa_amd_memory_pool_free", ptr=marked.block.address)
    if scene.draw(drawing.booleans()):
        again = another_like(scene, marked.block)
        place = marked.start + marked.place - marked.block.address
        written_by_gpu(scene, again.address + place, b"\xff" * len(marked.content))
    other = partner(scene)
    sent = scene.session.send_descriptor(descriptor)
    answer = other.call(MAP, **_mapping(other, sent))
    scene.require_status(answer, SUCCESS)
    _require_shown(scene, other, answer["ptr"] + offset, marked)


@proves.each((OLD, NEW), "importer-ended", fresh=True, examples=FEW)
def an_exported_block_stays_when_an_importer_has_ended(scene: Scene) -> None:
    """After the end of a process that mapped a dma-buf, its block has its bytes, and is freed."""
    scene.session.need_own_process()
    marked = _marked(scene)
    descriptor, _ = _exported(scene, scene.clause.function, marked.start, marked.size)
    _mapped_elsewhere(scene, descriptor)
    end_partner(scene)
    found = seen_by_gpu(scene, marked.start + marked.place, len(marked.content))
    summary = "the block shows other bytes"
    scene.require(found == marked.content, summary, found, Shows(marked.content))
    answer = scene.call("hsa_amd_memory_pool_free", ptr=marked.block.address)
    scene.require_status(answer, SUCCESS)


@proves.each((OLD, NEW), "exporter-ended", fresh=True, examples=FEW)
def a_dma_buf_of_a_process_that_has_ended_is_mapped(scene: Scene) -> None:
    """A dma-buf whose exporter has ended is mapped in another process, and shows the bytes."""
    owner = doomed_partner(scene)
    marked = _marked(owner)
    descriptor, offset = _exported(owner, scene.clause.function, marked.start, marked.size)
    here = scene.session.send_back(descriptor)
    end_partner(scene)
    answer = scene.call(MAP, **_mapping(scene, here))
    scene.require_status(answer, SUCCESS, decided_by=DecidedBy.DRIVER)
    found = seen_by_gpu(scene, answer["ptr"] + offset + marked.place, len(marked.content))
    summary = "the bytes are not what was exported"
    scene.require(found == marked.content, summary, found, decided_by=DecidedBy.DRIVER)


@proves.each((OLD, NEW), "failure-leaves-outputs")
def a_failed_export_leaves_its_outputs(scene: Scene) -> None:
    """An export that fails writes neither a descriptor nor an offset."""
    function = scene.clause.function
    block = exportable_block(scene)
    match scene.choose(["too long", "memory", "host", "nothing"]):
        case "too long":
            answer = _export(scene, function, block.address, block.size + 1)
        case "memory":
            answer = _export(scene, function, scene.readable(), block.size)
        case "nothing":
            answer = _export(scene, function, block.address, 0)
        case _:
            pools = known_pools(scene, lambda p: p.allocatable and p.location == "cpu")
            answer = _export(
                scene, function, allocate_block(scene, scene.choose(pools)), block.size
            )
    if answer.ok:
        raise CannotMake("the call did not fail")
    for output in scene.parts("output", {name: name for name in ("dmabuf", "offset")}):
        scene.require(
            answer.untouched(output),
            f"a failed call changed what {output} points to",
            (answer.outputs[output] or b"").hex(" "),
        )


@proves("hsa_amd_portable_export_dmabuf/as-v2-without-flags")
def both_functions_do_the_same(scene: Scene) -> None:
    """Both export functions answer the same status and offset, and export the same bytes."""
    marked = _marked(scene)
    size = marked.size
    if scene.draw(drawing.booleans()):
        left = marked.block.address + marked.block.size - marked.start
        size = left + scene.draw(drawing.integers(0, 1))
    answers = [_export(scene, function, marked.start, size) for function in (OLD, NEW)]
    scene.require(
        answers[0].name == answers[1].name,
        f"one answers {answers[0].name}, the other {answers[1].name}",
        answers[0].name,
    )
    if answers[0].ok:
        offsets = [answer.number("offset") for answer in answers]
        scene.require(offsets[0] == offsets[1], "the offsets differ", offsets)
        for answer, offset in zip(answers, offsets, strict=True):
            other, _, address = _mapped_elsewhere(scene, answer["dmabuf"])
            _require_shown(scene, other, address + offset, marked)


@proves("hsa_amd_portable_close_dmabuf/descriptor-closed")
def a_closed_descriptor_is_open_no_more(scene: Scene) -> None:
    """Closing a dma-buf closes that descriptor only, and a second close is refused."""
    block = exportable_block(scene)
    made = [
        export(scene, *part(scene, block))[0] for _ in range(scene.draw(drawing.integers(1, 3)))
    ]
    gone = made.pop(scene.draw(drawing.integers(0, len(made) - 1)))
    scene.require_status(scene.call(CLOSE, dmabuf=gone), SUCCESS)
    left = scene.session.process.descriptors()
    scene.require(gone not in left, "the descriptor is still open", int(gone))
    scene.require(
        all(descriptor in left for descriptor in made), "another one was closed, too", sorted(left)
    )
    scene.require_status(scene.call(CLOSE, dmabuf=gone), RESOURCE_FREE)


@proves("hsa_amd_portable_close_dmabuf/imports-stay")
def imported_memory_stays_when_descriptors_are_closed(scene: Scene) -> None:
    """An imported dma-buf keeps its bytes when all descriptors are closed.

    They are closed in both processes, also after the block was freed.
    """
    marked = _marked(scene)
    descriptor, offset = export(scene, marked.start, marked.size)
    other, sent, address = _mapped_elsewhere(scene, descriptor)
    for where, number in ((scene, descriptor), (other, sent)):
        where.set_up(CLOSE, dmabuf=number)
    if scene.draw(drawing.booleans()):
        scene.set_up("hsa_amd_memory_pool_free", ptr=marked.block.address)
    _require_shown(scene, other, address + offset, marked)
