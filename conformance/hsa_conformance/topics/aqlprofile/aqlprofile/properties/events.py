"""Counters that a GPU has, and their coordinates."""

from __future__ import annotations

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.calls.values import Answer, Data, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.aqlprofile.aqlprofile.fixtures import PREFIX, VALIDATE, counting_gpu
from hsa_conformance.topics.aqlprofile.aqlprofile.state import Event
from hsa_reports.demands import Gives

proves = Proofs()

_NAMES = f"{PREFIX}iterate_event_ids"
_COORDINATES = f"{PREFIX}iterate_event_coord"
_NAME = f"{PREFIX}eventname_callback_t"
_COORDINATE = f"{PREFIX}coordinate_callback_t"
_FAR = 0xFFFFFFFF


@proves("hsa_ven_amd_aqlprofile_validate_event/tells")
def a_counter_is_there_or_not(scene: Scene) -> None:
    """Whether a GPU has a counter is written as 0 or 1, the same each time.

    No GPU has a block without a number, nor as many blocks or counters as a number can count.
    """
    gpu, events = counting_gpu(scene)
    known = scene.choose(events)
    asked = {
        "one that it has": known,
        "another counter": Event(known.block, 0, scene.draw(drawing.integers(0, 1 << 10))),
        "no such block": Event(_FAR, 0, known.counter),
        "no such instance": Event(known.block, _FAR, known.counter),
        "no such counter": Event(known.block, 0, _FAR),
    }
    name = scene.each("counter", {name: name for name in asked})
    given = scene.session.place(asked[name].content, "event")
    results = []
    for _ in range(2):
        answer = scene.set_up(VALIDATE, agent=gpu, event=given, result=Out())
        result = answer.number("result")
        allowed = {"one that it has": (1,), "another counter": (0, 1)}.get(name, (0,))
        demand = Gives("result", tuple(bytes([n]) for n in allowed))
        scene.require(result in allowed, f"{name} is not told rightly", result, demand)
        results.append(result)
    first, second = results
    scene.require(equal(second, first), f"{name} is told in two ways", f"{first}, then {second}")


@proves("hsa_ven_amd_aqlprofile_iterate_event_ids/numbers-differ")
def no_number_is_told_twice(scene: Scene) -> None:
    """A traversal of the coordinates' names tells no number twice."""
    numbers = [number for number, _ in _names(scene).callbacks]
    if not numbers:
        raise CannotMake("there are no coordinates")
    scene.require(len(numbers) == len(set(numbers)), "a number comes twice", numbers)


def _names(scene: Scene) -> Answer:
    return scene.set_up(_NAMES, callback=Callback(_NAME))


def _coordinates(scene: Scene, userdata: int = 0) -> Answer:
    gpu, events = counting_gpu(scene)
    event = scene.choose(events)
    return scene.call(
        _COORDINATES,
        agent=gpu,
        event=Data(event.content, "event"),
        sample_id=0,
        callback=Callback(_COORDINATE),
        userdata=userdata,
    )


@proves("hsa_ven_amd_aqlprofile_iterate_event_coord/success")
def the_first_sample_of_a_counter_has_coordinates(scene: Scene) -> None:
    """The traversal of the first sample's coordinates succeeds for a counter that the GPU has."""
    scene.require_status(_coordinates(scene), SUCCESS)


@proves("hsa_ven_amd_aqlprofile_iterate_event_coord/in-range")
def each_coordinate_is_below_its_extent(scene: Scene) -> None:
    """Each coordinate is at least 0 and less than its extent, and its number has a name.

    Its name is not NULL; its text is not looked at. The caller's data comes unchanged.
    """
    known = {number for number, _ in _names(scene).callbacks}
    data: int = scene.draw(drawing.integers(0, (1 << 64) - 1))
    for _, number, extent, coordinate, name, given in _coordinates(scene, data).callbacks:
        got = f"number {number}, {coordinate} of {extent}, data {given:#x}"
        scene.require(0 <= coordinate < extent, "a coordinate is beyond its extent", got)
        scene.require(number in known, "the number of a coordinate has no name", got)
        scene.require(name != 0, "the name of a coordinate is NULL", got)
        scene.require(given == data, "userdata was changed", got)
