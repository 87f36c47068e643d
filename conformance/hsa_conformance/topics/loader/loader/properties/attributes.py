"""Attributes of loaded code objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from hsa_conformance.code_objects import Code, addresses, build
from hsa_conformance.engine.calls.comparing import equal, part
from hsa_conformance.engine.calls.values import OTHER_PATTERN, PATTERN, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.definedness import is_defined
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.executables import fixtures as executables
from hsa_conformance.topics.core.executables.loaded_code import LoadedCode, loaded, symbol_address
from hsa_conformance.topics.loader.loader.properties.traversal import code_objects
from hsa_conformance.topics.shared.attributes import (
    ask_where_answered,
    attributes,
    number,
    require_named,
    require_no_overrun,
)
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.code.layouts import spread

proves = Proofs()

QUERY: Final = "hsa_ven_amd_loader_loaded_code_object_get_info"
ENUM: Final = "hsa_ven_amd_loader_loaded_code_object_info_t"
_INFO: Final = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO"
#: How the attributes begin that only code of frozen executables has.
_PLACES: Final = f"{_INFO}_LOAD_"
_NUMBER: Final = "(0[xX][0-9a-fA-F]+|[0-9]+)"
_RANGE: Final = f"[#?]?offset={_NUMBER}&size={_NUMBER}"
_URI: Final = re.compile(f"file://[^#?]+({_RANGE})?|memory://[0-9]+{_RANGE}")


def _uri(scene: Scene, found: LoadedCode) -> tuple[bytes, int]:
    """Return as many bytes of the URI as it says it has, and the byte that follows."""
    subject = {"loaded_code_object": found.handle}
    length = number(scene, QUERY, f"{_INFO}_URI_LENGTH", **subject)
    attribute = scene.session.registry.constants[f"{_INFO}_URI"]
    answer = scene.set_up(QUERY, attribute=attribute, value=Out(length + 1), **subject)
    require_no_overrun(scene, answer, f"{_INFO}_URI")
    content = answer.content("value") or bytes(length + 1)
    return content[:length], part(content, length, 1)


@proves("hsa_ven_amd_loader_loaded_code_object_get_info/value-of-type", examples=4)
def a_value_has_the_type_of_its_attribute(scene: Scene) -> None:
    """A value of a loaded code object has the size of its type, and a kind is one of its enum.

    No byte after a value is written, and where the text defines it for the object, each byte of
    it is.
    """
    subject = {"loaded_code_object": loaded(scene).handle}
    attribute = scene.choose(attributes(scene.session, ENUM))
    answer = ask_where_answered(scene, QUERY, attribute, **subject)
    require_no_overrun(scene, answer, attribute)
    registry = scene.session.registry
    described = registry.attributes[attribute]
    if described.named_by is not None:
        require_named(scene, answer.number("value"), attribute)
    if attribute.startswith(_PLACES):
        return
    if is_defined(scene.session, registry.functions[QUERY], described, subject):
        values = {**subject, "attribute": registry.constants[attribute]}
        again = scene.set_up(QUERY, **values, value=Out(pattern=OTHER_PATTERN))
        first, second = answer.content("value"), again.content("value")
        got = f"{first.hex(' ')}, then {second.hex(' ')}"
        scene.require(first == second, f"not every byte of {attribute} is written", got)


@proves("hsa_ven_amd_loader_loaded_code_object_get_info/executable-known")
def a_code_object_knows_its_executable(scene: Scene) -> None:
    """A code object that the traversal of one of two executables reports knows that executable."""
    for executable in [loaded(scene).executable for _ in range(2)]:
        for handle in code_objects(scene, executable):
            found = number(scene, QUERY, f"{_INFO}_EXECUTABLE", loaded_code_object=handle)
            scene.require(found == executable, "it is of another executable", f"{found:#x}")


@proves("hsa_ven_amd_loader_loaded_code_object_get_info/uri-length")
def a_uri_is_as_long_as_it_says(scene: Scene) -> None:
    """All bytes of a URI are written, none of them ends it, and a zero follows."""
    words, following = _uri(scene, loaded(scene))
    summary = f"the URI does not have {len(words)} bytes with a zero behind them"
    got = f"{words!r}, then {following:#x}"
    scene.require(0 not in words and PATTERN not in words, summary, got)
    scene.require(equal(following, 0), summary, got)


@proves("hsa_ven_amd_loader_loaded_code_object_get_info/uri-form")
def a_uri_names_a_part_of_a_file_or_of_memory(scene: Scene) -> None:
    """The URI of code, read from memory or from a file, has one of the two forms of the text."""
    words, _ = _uri(scene, loaded(scene, origin=_origin))
    text = words.decode("latin-1")
    scene.require(_URI.fullmatch(text) is not None, "the URI has neither form", text)


def _origin(fixtures: Fixtures, content: Code) -> int:
    """Return a reader of code in memory, in a file, or in a part of one."""
    before = fixtures.choose([None, 0, fixtures.session.model.page_size])
    if before is None:
        return code.reader(fixtures, content)
    file, size = code.file(fixtures, content, before=before), len(build(content))
    function = "hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size"
    answer = fixtures.session.set_up(
        function, file=file, offset=before, size=size, code_object_reader=Out()
    )
    return answer["code_object_reader"]


def _frozen(scene: Scene) -> tuple[LoadedCode, Mapping[str, int]]:
    """Return frozen code with variables all over it, and where each of these lies."""
    found = loaded(scene, make=spread)
    executables.freeze(scene, found.executable)
    variables = (v.name for v in found.code.variables if v.size)
    return found, {
        name: symbol_address(scene, found, name, "VARIABLE_ADDRESS") for name in variables
    }


@proves("hsa_ven_amd_loader_loaded_code_object_get_info/variables-moved")
def variables_lie_as_far_away_as_the_code_was_moved(scene: Scene) -> None:
    """The address of each variable is the one that the code names, moved by the load delta."""
    found, places = _frozen(scene)
    delta = number(scene, QUERY, f"{_INFO}_LOAD_DELTA", loaded_code_object=found.handle)
    named = addresses(found.code)
    for name in scene.parts("variable", {name: name for name in places if name in named}):
        scene.require(
            places[name] == (named[name] + delta) % 2**64,
            f"{name} does not lie {delta:#x} bytes from {named[name]:#x}",
            f"{places[name]:#x}",
        )


@proves("hsa_ven_amd_loader_loaded_code_object_get_info/variables-within")
def variables_lie_within_what_is_loaded(scene: Scene) -> None:
    """Each variable lies within the bytes that the code object takes where it was loaded."""
    found, places = _frozen(scene)
    base, size = (
        number(scene, QUERY, f"{_INFO}_{name}", loaded_code_object=found.handle)
        for name in ("LOAD_BASE", "LOAD_SIZE")
    )
    sizes = {v.name: v.size for v in found.code.variables}
    for name in scene.parts("variable", {name: name for name in places}):
        place = places[name]
        scene.require(
            base <= place and place + sizes[name] <= base + size,
            f"{name} does not lie within {size} bytes from {base:#x} on",
            f"{place:#x}",
        )
