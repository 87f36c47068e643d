"""Segments of loaded code: how many there are, and where they come from."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from hsa_adapters.calls import Repeat
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import loadable, loaded
from hsa_conformance.topics.loader.loader.fixtures import (
    DESCRIPTOR,
    SEGMENTS,
    segment_count,
)
from hsa_conformance.topics.shared.code import generators as code
from hsa_reports import Verdict

proves = Proofs()

#: Questions of the thread that asks while code is loaded, at most: enough to last until it is.
QUESTIONS: Final = 1 << 15
#: Questions of the one that asks about many executables, at most; each takes longer.
LONG_QUESTIONS: Final = 4096
#: Executables that make a question last, and those that are created while somebody asks.
OTHERS: Final = 300
CREATED: Final = 300
NONE: Final = 0


def _describe(scene: Scene, count: int) -> Answer:
    """Ask for the descriptions of this many segments."""
    if count == 0:
        raise CannotMake("loaded code has no segments")
    place = scene.session.place(count.to_bytes(8, "little"), f"&{count}")
    return scene.call(
        SEGMENTS, segment_descriptors=Out(DESCRIPTOR * count), num_segment_descriptors=place
    )


@proves("hsa_ven_amd_loader_query_segment_descriptors/count-written")
def loading_code_makes_more_segments(scene: Scene) -> None:
    """The number of segments that is written is larger once code is loaded."""
    before = segment_count(scene)
    loaded(scene)
    after = segment_count(scene)
    scene.require(after > before, "loading code adds no segment", f"{before}, then {after}")


@proves("hsa_ven_amd_loader_query_segment_descriptors/counts-agree")
def as_many_segments_are_described_as_there_are(scene: Scene) -> None:
    """With the number of segments that one call writes, the next describes them."""
    for name in scene.choose([("first",), ("first", "second")]):
        loaded(scene, name=name)
    if scene.choose([False, True]):
        executables.executable(scene)  # one that has loaded nothing
    scene.require_status(_describe(scene, segment_count(scene)), SUCCESS)


@proves("hsa_ven_amd_loader_query_segment_descriptors/storage")
def a_segment_without_storage_is_nowhere(scene: Scene) -> None:
    """Where the storage of a segment is none, its address, size and offset are 0."""
    loaded(scene)
    answer = _describe(scene, segment_count(scene))
    scene.require_status(answer, SUCCESS)
    kinds = []
    for kind, *where in _storages(answer.outputs["segment_descriptors"] or b""):
        kinds.append(kind)
        if kind == NONE:
            scene.require(where == [0, 0, 0], "a segment without storage has some", where)
    if NONE not in kinds:
        raise Unavailable(Verdict.NOT_APPLICABLE, "all segments are kept in files or memory")


def _storages(content: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield type, base, size and offset of each description's storage."""
    for start in range(0, len(content), DESCRIPTOR):
        yield struct.unpack_from("<I4xQQQ", content, start + 16)


@proves("hsa_ven_amd_loader_query_segment_descriptors/complete")
def each_segment_is_of_an_executable_that_lives(scene: Scene) -> None:
    """Each executable that has loaded code has its segments described; one without has none.

    None is described once its executable is destroyed. Each is loaded for the agent of its code.
    The library may have executables of its own, such as of kernels that copy images.
    """
    bare = executables.executable(scene)
    agents = {found.executable: found.agent for found in (loaded(scene) for _ in range(2))}
    others = {bare}
    if scene.choose([False, True]):
        oldest = next(iter(agents))
        scene.set_up("hsa_executable_destroy", executable=oldest)
        del agents[oldest]
        others.add(oldest)
    answer = _describe(scene, segment_count(scene))
    scene.require_status(answer, SUCCESS)
    content = answer.outputs["segment_descriptors"] or b""
    described = {
        struct.unpack_from("<QQ", content, at) for at in range(0, len(content), DESCRIPTOR)
    }
    living = {
        handle
        for (handle,), thing in scene.session.model.objects["executable"].items()
        if thing.loaded
    }
    found = {executable for _, executable in described}
    scene.require(
        living <= found and not others & found,
        "the segments are not those of the executables that have loaded code",
        ", ".join(sorted(f"{executable:#x}" for executable in found)),
    )
    wrong = [agent for agent, executable in described if agents.get(executable, agent) != agent]
    scene.require(not wrong, "a segment is loaded for another agent than its code", wrong)


@proves("hsa_ven_amd_loader_query_segment_descriptors/complete")
def a_code_object_has_all_of_its_segments_or_none(scene: Scene) -> None:
    """Who asks for the number of segments while code is loaded or given back sees whole objects."""
    first = loaded(scene)
    # Made before anybody asks: an executable that appears during a question is another matter.
    second = executables.executable(scene)
    reader = code.reader(scene, loadable(scene, first.agent, "second"))
    gives_back = scene.choose([False, True])
    before = segment_count(scene)
    counts = scene.session.place(bytes(8 * QUESTIONS), "counts")
    values = {"segment_descriptors": 0, "num_segment_descriptors": counts}
    scene.session.start(SEGMENTS, values, Repeat(QUESTIONS, 8))
    if gives_back:
        scene.set_up("hsa_executable_destroy", executable=first.executable)
    else:
        executables.load(scene, second, first.agent, reader)
    asked = scene.session.join().status
    after = segment_count(scene)
    found = set(struct.unpack(f"<{asked}Q", scene.session.read(counts, 8 * asked) or b""))
    scene.require(
        found <= {before, after},
        f"code objects are counted in part: neither {before} nor {after} segments",
        ", ".join(str(count) for count in sorted(found - {before, after})),
    )
    if asked == QUESTIONS and found == {before}:
        raise CannotMake("the questions had ended when the segments changed")


@proves("hsa_ven_amd_loader_query_segment_descriptors/creating-meanwhile")
def what_is_created_while_somebody_asks_can_be_frozen(scene: Scene) -> None:
    """Executables that are created while another thread asks for segments can be frozen."""
    for _ in range(OTHERS):
        executables.executable(scene)
    counts = scene.session.place(bytes(8 * LONG_QUESTIONS), "counts")
    values = {"segment_descriptors": 0, "num_segment_descriptors": counts}
    scene.session.start(SEGMENTS, values, Repeat(LONG_QUESTIONS, 8))
    answers = [
        scene.call("hsa_executable_create_alt", **executables.BLANK, executable=Out())
        for _ in range(CREATED)
    ]
    scene.session.join()
    for answer in answers:
        scene.require_status(answer, SUCCESS)
        frozen = scene.call("hsa_executable_freeze", executable=answer["executable"], options=0)
        scene.require_status(frozen, SUCCESS)
