"""Readers of parts of files."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_conformance.code_objects import Code, build
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import loadable
from hsa_conformance.topics.core.executables.properties.readers import require_loaded
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()

CREATE: Final = "hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size"


@proves("hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size/that-part")
def the_code_of_a_part_is_loaded(scene: Scene) -> None:
    """Of a file with short code and code longer than a page, the reader's part is loaded."""
    agent = code.gpu(scene)
    contents = [loadable(scene, agent, name) for name in ("first", "second")]
    contents[1] = replace(contents[1], filling=code.LARGE)
    first, second = (build(content) for content in contents)
    file = code.file(scene, first + second)

    def read(scene: Scene, content: Code) -> int:
        offset, size = (0, len(first)) if content is contents[0] else (len(first), len(second))
        answer = scene.set_up(CREATE, file=file, offset=offset, size=size, code_object_reader=Out())
        return answer["code_object_reader"]

    executables.load(scene, executables.executable(scene), agent, code.reader(scene, contents[0]))
    require_loaded(scene, agent, scene.choose(contents), read)
