"""Results of counters and traces, and the blocks that are asked for by name."""

from __future__ import annotations

import struct
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Answer, Data
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.aqlprofile.aqlprofile.fixtures import (
    BLOCKS,
    INFO,
    INFOS,
    PREFIX,
    profile,
)
from hsa_conformance.topics.aqlprofile.aqlprofile.state import COUNTERS, TRACE, Event, Profile

proves = Proofs()

_ITERATE: Final = f"{PREFIX}iterate_data"
_CALLBACK: Final = f"{PREFIX}data_callback_t"
_RESULT, _QUERY = 32, 16  # bytes of what a result and a block are asked for with
_KINDS: Final = {COUNTERS: "PMC_DATA", TRACE: "TRACE_DATA"}


def _results(scene: Scene, made: Profile, data: int) -> Answer:
    callback = Callback(_CALLBACK)
    return scene.set_up(_ITERATE, profile=made.address, callback=callback, data=data)


@proves("hsa_ven_amd_aqlprofile_iterate_data/each-once")
def every_traversal_has_as_many_results(scene: Scene) -> None:
    """Each traversal of a profile's results has as many, at least one for each counter.

    The caller's data comes unchanged.
    """
    made = profile(scene)
    counts = []
    for _ in range(2):
        data: int = scene.draw(drawing.integers(0, (1 << 64) - 1))
        given = [arguments[2] for arguments in _results(scene, made, data).callbacks]
        scene.require(given == [data] * len(given), "data was changed", [hex(g) for g in given])
        counts.append(len(given))
    scene.require(len(set(counts)) == 1, "the number of results differs", counts)
    scene.require(counts[0] >= len(made.events), "a counter has no result", counts)


@proves("hsa_ven_amd_aqlprofile_iterate_data/type-of-data")
def results_are_of_the_profiles_kind(scene: Scene) -> None:
    """Results of a profile of counters are those of counters, and likewise of a trace."""
    kind = scene.each("kind", {kind: kind for kind in _KINDS})
    wanted = scene.session.registry.constants[f"{INFOS}{_KINDS[kind]}"]
    kinds = {call[0] for call in _results(scene, profile(scene, kind), 0).callbacks}
    if not kinds:
        raise CannotMake("there are no results")
    scene.require(kinds == {wanted}, f"results are not of {_KINDS[kind]}", kinds)


def _ask(scene: Scene, made: Profile, attribute: str, value: Data) -> Answer:
    number = scene.session.registry.constants[f"{INFOS}{attribute}"]
    asked = scene.session.lay_out(value)
    return scene.call(INFO, profile=made.address, attribute=number, value=asked)


def _place(event: Event) -> bytes:
    """Return what asks for the first sample of a counter."""
    return (bytes(8) + event.content).ljust(_RESULT, b"\0")


@proves("hsa_ven_amd_aqlprofile_get_info/counter-read")
def the_result_of_a_counter_is_told(scene: Scene) -> None:
    """The first sample of each counter of a profile is told."""
    made = profile(scene)
    event = scene.choose(made.events)
    answer = _ask(scene, made, "PMC_DATA", Data(_place(event), "result"))
    scene.require_status(answer, "HSA_STATUS_SUCCESS")


@proves("hsa_ven_amd_aqlprofile_get_info/trace-read")
def the_first_part_of_a_trace_is_told(scene: Scene) -> None:
    """The first part of a trace is told."""
    answer = _ask(scene, profile(scene, TRACE), "TRACE_DATA", Data(bytes(_RESULT), "result"))
    scene.require_status(answer, "HSA_STATUS_SUCCESS")


def _ask_block(scene: Scene, made: Profile, name: str) -> Answer:
    text = scene.session.place(name.encode() + b"\0", "name")
    content = int(text).to_bytes(8, "little").ljust(_QUERY, b"\0")
    return _ask(scene, made, "BLOCK_ID", Data(content, "query", {0: text}))


@proves("hsa_ven_amd_aqlprofile_get_info/block-known")
def a_block_is_found_by_its_name(scene: Scene) -> None:
    """A block of a counter that the GPU has is found by its name, with the number that it has.

    No header says how blocks are named: a name that an enumerator ends in may be another one.
    """
    made = profile(scene)
    block = scene.choose(made.events).block
    name = scene.session.registry.enums[BLOCKS].by_value[block].name.rpartition("_")[2]
    answer = _ask_block(scene, made, name)
    if not answer.ok:
        raise CannotMake(f"the block is not named {name}")
    query = scene.session.read(answer.args["value"], _QUERY) or b""
    number, count = struct.unpack("<8xII", query)
    scene.require(number == block, f"{name} has another number than {block}", number)
    scene.require(count > 0, f"there is a counter of {name}, and none of it", count)


@proves("hsa_ven_amd_aqlprofile_get_info/block-unknown")
def no_block_is_found_by_another_name(scene: Scene) -> None:
    """A name that is none of a block is refused, each time."""
    made, name = profile(scene), scene.choose(["", "nobody knows it", "SQ" * 99])
    for _ in range(2):
        scene.require_status(
            _ask_block(scene, made, name),
            "HSA_STATUS_ERROR",
            "HSA_STATUS_ERROR_INVALID_ARGUMENT",
        )
