"""Attributes of code objects."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.code_objects import generators as code_objects
from hsa_conformance.topics.core.code_objects.properties.scenes import QUERY, ask_code, some
from hsa_conformance.topics.core.isas import generators as isas
from hsa_conformance.topics.shared.attributes import (
    ask_where_answered,
    number,
    require_named,
    require_no_overrun,
)
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()

ISA: Final = "HSA_CODE_OBJECT_INFO_ISA"
VERSION: Final = "HSA_CODE_OBJECT_INFO_VERSION"
#: Without the type: a library that does not survive the question fails the query's own clause.
SAFE: Final = (
    ISA,
    "HSA_CODE_OBJECT_INFO_MACHINE_MODEL",
    "HSA_CODE_OBJECT_INFO_PROFILE",
    "HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE",
)
#: The type comes last, so that a process which does not survive the question has shown the others.
ENUMERATED: Final = (*(name for name in SAFE if name != ISA), "HSA_CODE_OBJECT_INFO_TYPE")


def _answered(scene: Scene, attribute: str) -> Answer:
    """Return the answer for an attribute of a code object that has them all.

    Raises:
        Blocked: it is not answered.

    """
    handle = code.code_object(scene, code_objects.old_code())
    asked = scene.session.registry.constants[attribute]
    return scene.set_up(QUERY, code_object=handle, attribute=asked, value=Out())


@proves("hsa_code_object_get_info/value-size", examples=2)
def nothing_is_written_behind_an_attribute_of_code(scene: Scene) -> None:
    """A query of a code object leaves the bytes behind the attribute's type as they were."""
    handle, _ = some(scene)
    attribute = scene.choose([*SAFE, VERSION])
    if attribute == VERSION:
        answer = ask_code(scene, handle, attribute)
        if not answer.ok:
            raise CannotMake(f"{attribute} is not answered")
    else:
        answer = ask_where_answered(scene, QUERY, attribute, code_object=handle)
    require_no_overrun(scene, answer, attribute)


@proves("hsa_code_object_get_info/version", examples=2)
def the_version_is_padded_text(scene: Scene) -> None:
    """The version of a code object is text, padded with NUL bytes up to 64 bytes."""
    answer = _answered(scene, VERSION)
    content = answer.outputs["value"] or b""
    characters, _, rest = content.partition(b"\0")
    scene.require(
        len(characters) < 64 and not rest.strip(b"\0") and b"\xa5" not in content,
        "the version is no text with NUL bytes behind it",
        content,
    )


@proves("hsa_code_object_get_info/isa", examples=2)
def the_isa_can_be_asked(scene: Scene) -> None:
    """The instruction set architecture of a code object can be queried."""
    answer = _answered(scene, ISA)
    isa = int.from_bytes((answer.outputs["value"] or b"")[:8], "little")
    query = isas.ask(scene, isa, "HSA_ISA_INFO_NAME_LENGTH")
    scene.require_status(query, SUCCESS)


@proves("hsa_code_object_get_info/enumerated", examples=2)
def enumerations_have_names(scene: Scene) -> None:
    """A code object's type, machine model, profile and rounding mode are enumerators.

    A query that fails breaks the clause about its success, and hides none of the other attributes.
    """
    handle = code.code_object(scene, code_objects.old_code())
    for name in scene.parts("attribute", {name: name for name in ENUMERATED}):
        require_named(scene, number(scene, QUERY, name, code_object=handle), name)
