"""Traversals of executables, and of the code objects that one has loaded."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import loaded
from hsa_conformance.topics.loader.loader.listing import OF_EXECUTABLES, as_many
from hsa_conformance.topics.shared.traversal import Traversal

proves = Proofs()

OF_CODE: Final = "hsa_ven_amd_loader_executable_iterate_loaded_code_objects"


def code_objects(scene: Scene, executable: int) -> list[int]:
    """Return what the traversal of an executable reports."""
    return _of_code(scene, executable).handles()


def _of_code(scene: Scene, executable: int) -> Traversal:
    callback = "hsa_ven_amd_loader_loaded_code_object_callback"
    return Traversal(scene, OF_CODE, callback, executable=executable)


def _of_executables(scene: Scene) -> Traversal:
    return Traversal(scene, OF_EXECUTABLES, "hsa_ven_amd_loader_executable_callback")


def _two(scene: Scene) -> tuple[int, set[int]]:
    """Return an executable and its two code objects; another executable has one, too."""
    first = loaded(scene)
    second = loaded(scene, first.executable, name="second")
    if first.handle == second.handle:
        own = "hsa_executable_load_agent_code_object/loaded-code-object"
        raise Blocked(own, "two loaded code objects are not told apart")
    loaded(scene)
    return first.executable, {int(first.handle), int(second.handle)}


@proves("hsa_ven_amd_loader_executable_iterate_loaded_code_objects/each-once")
def each_code_object_is_reported_once(scene: Scene) -> None:
    """The callback gets each code object of an executable once, with both and the data."""
    executable, known = _two(scene)
    data = scene.draw(drawing.integers(0, 2**64 - 1))
    callback = Callback("hsa_ven_amd_loader_loaded_code_object_callback")
    answer = scene.set_up(OF_CODE, executable=executable, callback=callback, data=data)
    wanted = sorted((int(executable), handle, data) for handle in known)
    scene.require(
        sorted(answer.callbacks) == wanted,
        "the callback does not get each code object once",
        "; ".join(", ".join(f"{a:#x}" for a in call) for call in answer.callbacks),
    )


@proves("hsa_ven_amd_loader_iterate_executables/each-once", fresh=True)
def each_executable_is_reported_once(scene: Scene) -> None:
    """The callback gets each live executable once with the data, and none that was destroyed."""
    before = _of_executables(scene).handles()
    made = [executables.executable(scene) for _ in range(scene.draw(drawing.integers(1, 3)))]
    for handle in made[: scene.draw(drawing.integers(0, len(made)))]:
        scene.set_up("hsa_executable_destroy", executable=handle)
    known = [handle for (handle,) in scene.session.model.objects["executable"]]
    traversal = _of_executables(scene)
    found = traversal.handles()
    wanted = {*before, *known}
    scene.require(
        sorted(found) == sorted(wanted),
        "the callback does not get each live executable once",
        ", ".join(f"{handle:#x}" for handle in found),
        as_many(scene.session, found, len(wanted)),
    )
    traversal.passes_data()


@proves("hsa_ven_amd_loader_executable_iterate_loaded_code_objects/stops-early")
def no_code_object_follows_another_answer(scene: Scene) -> None:
    """No code object is reported after the callback answers anything but success."""
    _of_code(scene, _two(scene)[0]).stops()


@proves("hsa_ven_amd_loader_executable_iterate_loaded_code_objects/stops-early")
def the_traversal_of_code_objects_answers_what_ended_it(scene: Scene) -> None:
    """The traversal of code objects answers the status with which the callback ended it."""
    _of_code(scene, _two(scene)[0]).returns_callback_status()


@proves("hsa_ven_amd_loader_iterate_executables/stops-early")
def no_executable_follows_another_answer(scene: Scene) -> None:
    """No executable is reported after the callback answers anything but success."""
    for _ in range(2):
        executables.executable(scene)
    _of_executables(scene).stops()


@proves("hsa_ven_amd_loader_iterate_executables/stops-early")
def the_traversal_of_executables_answers_what_ended_it(scene: Scene) -> None:
    """The traversal of executables answers the status with which the callback ended it."""
    executables.executable(scene)
    _of_executables(scene).returns_callback_status()
