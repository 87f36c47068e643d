"""Readers of code leave files and memory to the application."""

from __future__ import annotations

from hsa_conformance.code_objects import build
from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()


def _still_open(scene: Scene, file: int) -> bool:
    return int(file) in scene.session.process.descriptors()


def _reader_of_file(scene: Scene) -> tuple[int, int]:
    file = code.file(scene, code.code(scene))
    function = "hsa_code_object_reader_create_from_file"
    return file, scene.set_up(function, file=file, code_object_reader=Out())["code_object_reader"]


@proves("hsa_code_object_reader_create_from_file/file-stays-open")
def the_file_of_a_reader_stays_open(scene: Scene) -> None:
    """After a reader is created from a file, the file's descriptor is still open."""
    file, _ = _reader_of_file(scene)
    scene.require(_still_open(scene, file), "the call closed the descriptor", "closed")


@proves("hsa_code_object_reader_destroy/file-left-alone")
def destroying_a_reader_leaves_its_file_open(scene: Scene) -> None:
    """After a reader is destroyed, the descriptor of its file is still open."""
    file, reader = _reader_of_file(scene)
    scene.set_up("hsa_code_object_reader_destroy", code_object_reader=reader)
    scene.require(_still_open(scene, file), "the call closed the descriptor", "closed")


@proves("hsa_code_object_reader_destroy/memory-left-alone")
def destroying_a_reader_leaves_its_memory_alone(scene: Scene) -> None:
    """After a reader is destroyed, the memory it was created from holds the same bytes."""
    data = build(code.code(scene))
    address = scene.session.place(data, "code")
    reader = scene.set_up(
        "hsa_code_object_reader_create_from_memory",
        code_object=address,
        size=len(data),
        code_object_reader=Out(),
    )["code_object_reader"]
    scene.set_up("hsa_code_object_reader_destroy", code_object_reader=reader)
    scene.require(
        scene.session.read(address, len(data)) == data, "the memory changed", "other bytes"
    )
