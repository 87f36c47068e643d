"""Code that is not what it has to be: what is answered, and what it leaves behind."""

from __future__ import annotations

from typing import Final

from hsa_conformance.code_objects import MADE, Code, build
from hsa_conformance.code_objects.damage import (
    HEADER,
    fields,
    headers,
    needed,
    spoilt,
    unended,
    values,
)
from hsa_conformance.code_objects.variants import VARIANTS
from hsa_conformance.engine.calls.values import Answer, Data, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.properties.scenes import require_names
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()

_LOAD: Final = "hsa_executable_load_agent_code_object"
_FROM_FILE: Final = "hsa_code_object_reader_create_from_file"
_WORD: Final = 8
#: More than there are wrong values for a number.
_MANY: Final = 1 << 10


def _code(scene: Scene, agent: int) -> Code:
    """Return code with something in each of its tables; it leaves a variable to be defined."""
    return code.code(scene, agent, declares=True)


def _load(scene: Scene, agent: int, content: bytes) -> Answer:
    """Try to load code that lies before memory which cannot be read, or from a file of its size.

    A reader of it may be refused as well.
    """
    handle = executables.executable(scene)
    executables.define(scene, handle, code.UNDEFINED, agent)
    if scene.choose(["memory", "file"]) == "memory":
        address = scene.session.at_end(Data(content, "code"))
        answer = scene.call(
            code.READER, code_object=address, size=len(content), code_object_reader=Out()
        )
    else:
        file = scene.session.open_file(len(content), content)
        answer = scene.call(_FROM_FILE, file=file, code_object_reader=Out())
    if not answer.ok:
        return answer
    function, arguments = executables.loading(scene, handle, agent, answer["code_object_reader"])
    return scene.call(function, **arguments)


def _require_loads(scene: Scene, agent: int) -> None:
    """Demand that code that is right is loaded, with its symbols."""
    handle, chosen = executables.executable(scene), code.code(scene, agent)
    function, arguments = executables.loading(scene, handle, agent, code.origin(scene, chosen))
    scene.require_status(scene.call(function, **arguments), SUCCESS)
    require_names(scene, handle, agent, chosen)


@proves("hsa_executable_load_agent_code_object/more-in-file")
def code_is_loaded_with_more_in_its_file(scene: Scene) -> None:
    """Code with sections that are not loaded, or bytes behind all else, has the same symbols."""
    agent, handle = code.gpu(scene), executables.executable(scene)
    chosen = code.code(scene, agent)
    changed = scene.each("added", VARIANTS)(build(chosen))
    MADE[changed] = chosen
    address = scene.session.at_end(Data(changed, "code"))
    origin = code.origin_at(scene, address, len(changed))
    function, arguments = executables.loading(scene, handle, agent, origin)
    scene.require_status(scene.call(function, **arguments), SUCCESS)
    require_names(scene, handle, agent, chosen)


@proves("hsa_executable_load_agent_code_object/cut-off", examples=3)
def code_without_its_end_is_refused(scene: Scene) -> None:
    """Code whose end is missing, with a part of what is to be loaded, is refused.

    It lies before memory that cannot be read, or is all of a file. Other code is loaded then.
    """
    agent = code.gpu(scene)
    content = build(_code(scene, agent))
    ends = {
        "in the header": (1, HEADER // _WORD),
        "in the program headers": (HEADER // _WORD, headers(content) // _WORD - 1),
        "in what is loaded": (headers(content) // _WORD, needed(content) // _WORD - 1),
    }
    least, most = scene.each("end", ends)
    length = _WORD * scene.draw(drawing.integers(least, most))
    answer = _load(scene, agent, spoilt(content[:length]))
    scene.require(not answer.ok, f"{length} of {len(content)} bytes are loaded", answer.name)
    _require_loads(scene, agent)


@proves("hsa_executable_load_agent_code_object/damaged")
def damaged_code_is_answered(scene: Scene) -> None:
    """Calls with code of which one number is wrong come back, and other code is loaded then.

    The number is one of a table, in each of its entries in turn. The code lies before memory that
    cannot be read, or is all of a file.
    """
    agent = code.gpu(scene)
    content = build(_code(scene, agent))
    first = scene.draw(drawing.integers(0, _MANY))
    for place, field in enumerate(scene.each("number", fields(content)), first):
        wrong = values(field, content)
        _load(scene, agent, field.written(content, wrong[place % len(wrong)]))
    _require_loads(scene, agent)


@proves("hsa_executable_load_agent_code_object/damaged", examples=0.2)
def code_whose_names_do_not_end_is_answered(scene: Scene) -> None:
    """Calls with code come back of which a table of names ends with the code, and without a NUL."""
    agent = code.gpu(scene)
    for content in unended(build(_code(scene, agent))):
        _load(scene, agent, content)
    _require_loads(scene, agent)
