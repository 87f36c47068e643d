"""The words for status codes."""

from __future__ import annotations

import re
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.session.strings import text_at

proves = Proofs()

_WORD: Final = re.compile(r"\w+")


def _described(scene: Scene) -> tuple[str, bytes | None]:
    """Draw a status that the library describes, and return its name and the text."""
    statuses = scene.session.registry.enums["hsa_status_t"].by_value
    status = scene.draw(drawing.sampled_from(sorted(statuses)))
    answer = scene.call("hsa_status_string", status=status, status_string=Out())
    if not answer.ok:
        raise CannotMake("the library does not describe this status")
    return statuses[status].name, text_at(scene.session, answer["status_string"])


def _text(scene: Scene) -> tuple[str, bytes]:
    name, text = _described(scene)
    if text is None:
        raise Blocked("hsa_status_string/string", "something other than text")
    return name, text


@proves("hsa_status_string/string", examples=8)
def the_address_holds_text(scene: Scene) -> None:
    """The text of a status can be read up to its NUL byte."""
    name, text = _described(scene)
    scene.require(text is not None, f"what describes {name} is no text with an end", text)


@proves("hsa_status_string/says-something", examples=8)
def the_text_is_not_empty(scene: Scene) -> None:
    """The text of a status has at least one character, and does not name another status."""
    name, text = _text(scene)
    scene.require(text != b"", f"the text that describes {name} is empty", text)
    statuses = scene.session.registry.enums["hsa_status_t"]
    values = {e.name: e.value for e in statuses.enumerators}
    first = _WORD.match(text.decode("utf-8", "replace"))
    scene.require(
        first is None or values.get(first[0], values[name]) == values[name],
        f"the text that describes {name} begins with the name of another status",
        text.decode("utf-8", "replace"),
    )


@proves("hsa_status_string/lives-on", examples=2)
def a_text_outlives_the_next_one(scene: Scene) -> None:
    """The text of a status reads the same once another status was described."""
    statuses = scene.session.registry.enums["hsa_status_t"].values
    texts: dict[int, bytes | None] = {}
    for status in scene.shuffled(sorted(statuses))[:4]:
        answer = scene.call("hsa_status_string", status=status, status_string=Out())
        if answer.ok:
            place = answer["status_string"]
            texts[place] = text_at(scene.session, place)
        for earlier, text in texts.items():
            now = text_at(scene.session, earlier)
            scene.require(now == text, f"a text was {text!r}", f"{now!r}")


@proves("hsa_status_string/names-the-code", examples=8)
def the_text_begins_with_the_name(scene: Scene) -> None:
    """The text of a status begins with the name of its enumerator."""
    name, text = _text(scene)
    scene.require(
        text.startswith(name.encode("ascii")),
        f"the text that describes {name} does not begin with the name",
        text.decode("utf-8", "replace"),
    )
