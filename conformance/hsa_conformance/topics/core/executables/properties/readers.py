"""Readers of code read all of it, and leave files and memory to the application."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hsa_conformance.code_objects import Code, build
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import require_names
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()


def _read(scene: Scene, content: Code) -> int:
    """Create a reader of code with the function whose clause is proved."""
    function = scene.clause.function
    if function != "hsa_code_object_reader_create_from_file":
        return code.reader(scene, content)
    values: dict[str, Value] = {"file": code.file(scene, content), "code_object_reader": Out()}
    return scene.set_up(function, **values)["code_object_reader"]


@proves("hsa_code_object_reader_create_from_file/reads-all")
@proves("hsa_code_object_reader_create_from_memory/reads-all")
def code_is_loaded_by_each_reader_however_long_it_is(scene: Scene) -> None:
    """Where code can be loaded from memory, so it can be by each reader, with all its symbols.

    The code is shorter than a page, and longer. A file is read from its beginning, wherever its
    position is.
    """
    agent = code.gpu(scene)
    short = replace(code.code(scene, agent), filling=0)
    executables.load(scene, executables.executable(scene), agent, code.reader(scene, short))
    for filling in (0, code.LARGE):
        require_loaded(scene, agent, replace(short, filling=filling), read=_read)


def require_loaded(
    scene: Scene, agent: int, content: Code, read: Callable[[Scene, Code], int]
) -> None:
    """Demand that code is loaded for an agent with all its symbols.

    Args:
        scene: the property's scene.
        agent: the agent.
        content: the code.
        read: creates a reader of it.

    """
    handle = executables.executable(scene)
    answer = scene.call(
        "hsa_executable_load_agent_code_object",
        executable=handle,
        agent=agent,
        code_object_reader=read(scene, content),
        options=0,
        loaded_code_object=Out(),
    )
    scene.require(answer.ok, "the code cannot be loaded from its reader", answer.name)
    require_names(scene, handle, agent, content)


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


@proves("hsa_code_object_reader_destroy/others-unharmed")
def destroying_a_reader_leaves_the_others(scene: Scene) -> None:
    """Of two readers of the same code one is destroyed; the code is loaded from the other."""
    agent = code.gpu(scene)
    content = code.code(scene, agent)
    readers = [code.reader(scene, content) for _ in range(2)]
    gone = readers.pop(scene.choose([1, 0]))
    scene.set_up("hsa_code_object_reader_destroy", code_object_reader=gone)
    require_loaded(scene, agent, content, read=lambda *_: readers[0])
