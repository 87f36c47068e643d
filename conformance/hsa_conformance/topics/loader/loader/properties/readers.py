"""Readers of parts of files."""

from __future__ import annotations

from typing import Final

from hsa_conformance.code_objects import build
from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.topics.core.executables import generators as executables
from hsa_conformance.topics.core.executables.properties.scenes import names
from hsa_conformance.topics.loader.loader.fixtures import loadable
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()

CREATE: Final = "hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size"


@proves("hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size/that-part")
def the_code_of_a_part_is_loaded(scene: Scene) -> None:
    """Of a file with two code objects, that of the reader's part defines the symbols."""
    agent = code.gpu(scene)
    contents = [loadable(scene, agent, name) for name in ("first", "second")]
    first, second = (build(content) for content in contents)
    chosen = scene.choose([0, 1])
    reader = scene.set_up(
        CREATE,
        file=code.file(scene, first + second),
        offset=chosen * len(first),
        size=len((first, second)[chosen]),
        code_object_reader=Out(),
    )["code_object_reader"]
    handle = executables.executable(scene)
    executables.load(scene, handle, agent, reader)
    found, wanted = names(scene, handle, agent), set(contents[chosen].symbols)
    scene.require(found == wanted, "other symbols were loaded", ", ".join(sorted(found)))
