"""What outlives an executable."""

from __future__ import annotations

from hsa_conformance.code_objects import build
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import (
    LoadedExecutable,
    loaded,
    names,
)

proves = Proofs()


def _destroy(scene: Scene, handle: int) -> None:
    scene.set_up("hsa_executable_destroy", executable=handle)


def _load_again(scene: Scene, gone: LoadedExecutable, handle: int) -> None:
    function, values = executables.loading(scene, handle, gone.agent, gone.origin)
    answer = scene.call(function, **values)
    scene.require_status(answer, SUCCESS)


@proves("hsa_executable_destroy/code-objects-stay")
def code_outlives_the_executable_that_loaded_it(scene: Scene) -> None:
    """After an executable is destroyed, its code is unchanged and can be loaded into another."""
    gone = loaded(scene)
    _destroy(scene, gone.handle)
    _load_again(scene, gone, executables.executable(scene))
    expected = build(gone.code)
    found = scene.session.read(gone.address, len(expected))
    scene.require(found == expected, "the code changed", "other bytes")


@proves("hsa_executable_destroy/readers-stay")
def readers_outlive_the_executable(scene: Scene) -> None:
    """After an executable is destroyed, a reader of its code can be used, and then destroyed."""
    gone = loaded(scene)
    _destroy(scene, gone.handle)
    other = executables.executable(scene)
    _load_again(scene, gone, other)
    _destroy(scene, other)
    answer = scene.call("hsa_code_object_reader_destroy", code_object_reader=gone.origin)
    scene.require_status(answer, SUCCESS)


@proves("hsa_executable_destroy/other-executables-stay")
def other_executables_keep_the_symbols_of_the_code(scene: Scene) -> None:
    """After an executable is destroyed, another with the same code has all of its symbols."""
    gone, other = loaded(scene), executables.executable(scene)
    _load_again(scene, gone, other)
    before = names(scene, other, gone.agent)
    _destroy(scene, gone.handle)
    after = names(scene, other, gone.agent)
    scene.require(
        after == before == set(gone.code.symbols),
        "another executable lost symbols",
        ", ".join(sorted(after)),
    )
