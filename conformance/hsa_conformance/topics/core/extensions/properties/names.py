"""The names of extensions."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.strings import text_at
from hsa_conformance.topics.core.extensions.generators import extensions

proves = Proofs()

QUERY = "hsa_extension_get_name"


def _offered(scene: Scene) -> int:
    numbers = [e.number for e in extensions(scene) if e.offered]
    return scene.available(numbers, "extension")


def _address(scene: Scene, number: int) -> int:
    return scene.set_up(QUERY, extension=number, name=Out())["name"]


@proves("hsa_extension_get_name/terminated")
def the_name_is_text_with_an_end(scene: Scene) -> None:
    """The query for an extension's name gives the address of text that ends with a NUL byte."""
    address = _address(scene, _offered(scene))
    scene.require(
        text_at(scene.session, address) is not None,
        "the name of an extension is not the address of text with an end",
        f"{address:#x}",
    )


@proves("hsa_extension_get_name/prefixed")
def the_name_is_that_of_the_enumerator(scene: Scene) -> None:
    """The name of an extension is spelt as its enumerator in the header."""
    number = _offered(scene)
    text = text_at(scene.session, _address(scene, number)) or b""
    enumerators = scene.session.registry.enums["hsa_extension_t"].enumerators
    spelt = [e.name for e in enumerators if e.value == number]
    scene.require(text.decode("ascii", "replace") in spelt, "the name is another", text)


@proves("hsa_extension_get_name/lives-on")
def the_name_stays_as_it_is(scene: Scene) -> None:
    """The name of an extension stays the same while other names are asked for."""
    address = _address(scene, _offered(scene))
    before = text_at(scene.session, address)
    for _ in range(scene.draw(drawing.integers(1, 10))):
        _address(scene, _offered(scene))
    after = text_at(scene.session, address)
    scene.require(before == after, "the name has changed", f"first {before!r}, then {after!r}")
