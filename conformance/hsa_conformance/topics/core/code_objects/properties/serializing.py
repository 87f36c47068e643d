"""Writing code objects down, making them, and ending them."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import INVALID_CODE_OBJECT, SUCCESS
from hsa_conformance.topics.core.code_objects import generators as code_objects
from hsa_conformance.topics.core.code_objects.properties.queries import ISA, SAFE, VERSION
from hsa_conformance.topics.core.code_objects.properties.scenes import (
    DESERIALIZE,
    SERIALIZE,
    ask_code,
    some,
    symbol_names,
)
from hsa_conformance.topics.core.executables.properties.scenes import options
from hsa_conformance.topics.shared.code import generators as code

proves = Proofs()

#: Without the ISA: the text does not say that one ISA has one handle.
_SAME: Final = (VERSION, *(name for name in SAFE if name != ISA))


def _serialize(
    scene: Scene, handle: int, *, asked: int = 0, data: int = 0, callback: Callback | None = None
) -> Answer:
    return scene.call(
        SERIALIZE,
        code_object=handle,
        alloc_callback=callback or Callback("hsa_code_object_alloc_callback", allocate=True),
        callback_data=data,
        options=asked,
        serialized_code_object=Out(),
        serialized_code_object_size=Out(),
    )


@proves("hsa_code_object_serialize/returns-callback-status")
def serializing_answers_with_the_callbacks_status(scene: Scene) -> None:
    """When the allocating callback fails, serializing answers its status."""
    values = scene.session.registry.enums["hsa_status_t"].values
    status = scene.draw(drawing.sampled_from(sorted(values - {0})))
    callback = Callback("hsa_code_object_alloc_callback", (status,))
    handle, _ = some(scene)
    scene.require_status(
        _serialize(scene, handle, callback=callback), scene.session.registry.status_name(status)
    )


@proves("hsa_code_object_serialize/allocates-once")
def the_callback_is_called_once(scene: Scene) -> None:
    """Serializing calls the allocating callback once."""
    answer = _serialize(scene, some(scene)[0])
    scene.require_status(answer, SUCCESS)
    calls = len(answer.callbacks)
    scene.require(calls == 1, "the callback is not called once", f"{calls} calls")


@proves("hsa_code_object_serialize/passes-data")
def the_callback_receives_the_data(scene: Scene) -> None:
    """The allocating callback gets the caller's data unchanged, 0 included."""
    data = scene.draw(drawing.integers(0, 2**64 - 1))
    answer = _serialize(scene, some(scene)[0], data=data)
    scene.require_status(answer, SUCCESS)
    scene.require(
        bool(answer.callbacks) and all(received == data for _, received, _ in answer.callbacks),
        f"the callback received other data than {data:#x}",
        answer.callbacks,
    )


def _written(scene: Scene, handle: int, asked: int = 0) -> tuple[Answer, bytes]:
    """Serialize, and return what was written."""
    answer = _serialize(scene, handle, asked=asked)
    scene.require_status(answer, SUCCESS)
    size = answer.number("serialized_code_object_size")
    content = scene.session.read(answer["serialized_code_object"], size)
    scene.require(content is not None, "what was written cannot be read", f"{size} bytes")
    return answer, content or b""


@proves("hsa_code_object_serialize/address")
def the_address_is_the_callbacks(scene: Scene) -> None:
    """Serializing writes into the callback's memory, and gives its address."""
    answer, content = _written(scene, some(scene)[0])
    place = answer["serialized_code_object"]
    scene.require(
        place != 0 and content.startswith(b"\x7fELF") and len(answer.callbacks) == 1,
        "the address is not that of the memory",
        f"{place:#x}",
    )


@proves("hsa_code_object_serialize/size")
def the_size_is_what_was_asked_for(scene: Scene) -> None:
    """The size that serializing gives is what the callback was asked for."""
    answer = _serialize(scene, some(scene)[0])
    scene.require_status(answer, SUCCESS)
    size, asked = answer.number("serialized_code_object_size"), [s for s, *_ in answer.callbacks]
    scene.require(asked == [size], "another size was asked for", f"{asked}, then {size}")


@proves("hsa_code_object_serialize/round-trip")
def what_was_written_can_be_read(scene: Scene) -> None:
    """A serialized code object can be deserialized, with the same symbols and attributes.

    The attributes are the version, the machine model, the profile and the rounding mode, where the
    first code object has them.
    """
    handle, chosen = some(scene)
    answer, content = _written(scene, handle)
    again = scene.call(
        DESERIALIZE,
        serialized_code_object=scene.session.place(content, "written"),
        serialized_code_object_size=answer.number("serialized_code_object_size"),
        options=0,
        code_object=Out(),
    )
    scene.require_status(again, SUCCESS)
    found = symbol_names(scene, again["code_object"])
    scene.require(found == set(chosen.symbols), "the symbols differ", ", ".join(sorted(found)))
    for attribute in _SAME:
        before = ask_code(scene, handle, attribute)
        if before.ok:
            after = ask_code(scene, again["code_object"], attribute)
            scene.require(
                after.ok and after.outputs == before.outputs,
                f"{attribute} differs",
                f"{after.name}, {after.outputs['value']!r} instead of {before.outputs['value']!r}",
            )


@proves("hsa_code_object_serialize/options-unknown")
def unknown_options_do_not_change_what_is_written(scene: Scene) -> None:
    """Serializing with unknown options writes the same bytes as without options."""
    handle, _ = some(scene)
    _, plain = _written(scene, handle)
    _, found = _written(scene, handle, options(scene))
    scene.require(found == plain, "options changed what is written", f"{len(found)} bytes")


@proves("hsa_code_object_deserialize/usable")
def a_new_code_object_can_be_asked(scene: Scene) -> None:
    """Not every query of a deserialized code object is refused as that of an invalid one.

    Where each is refused, and some for another reason, this shows nothing.
    """
    handle, _ = some(scene)
    answers = [ask_code(scene, handle, name) for name in SAFE]
    scene.require(
        any(a.name != INVALID_CODE_OBJECT for a in answers),
        "every attribute calls the code object invalid",
        INVALID_CODE_OBJECT,
    )
    if not any(a.ok for a in answers):
        raise CannotMake("no attribute is answered")


@proves("hsa_code_object_deserialize/options-unknown")
def unknown_options_do_not_keep_from_deserializing(scene: Scene) -> None:
    """Deserializing with unknown options succeeds, and the symbols are there."""
    chosen = scene.choose([code_objects.old_code(), code.code(scene)])
    address, size = code.place(scene, chosen)
    answer = scene.call(
        DESERIALIZE,
        serialized_code_object=address,
        serialized_code_object_size=size,
        options=options(scene),
        code_object=Out(),
    )
    scene.require_status(answer, SUCCESS)
    found = symbol_names(scene, answer["code_object"])
    scene.require(found == set(chosen.symbols), "options changed the symbols", sorted(found))


@proves("hsa_code_object_destroy/serialized-stays")
def what_was_written_outlives_the_code_object(scene: Scene) -> None:
    """After a code object is destroyed, its serialized bytes are the same."""
    handle, _ = some(scene)
    answer, content = _written(scene, handle)
    scene.set_up("hsa_code_object_destroy", code_object=handle)
    found = scene.session.read(answer["serialized_code_object"], len(content))
    scene.require(found == content, "the memory changed", "other bytes")
