"""Traversals of the symbols of code objects."""

from __future__ import annotations

from hsa_adapters.calls import Callback
from hsa_conformance.code_objects import Code
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.code_objects import generators as code_objects
from hsa_conformance.topics.core.code_objects.properties.scenes import ITERATE, OF_SYMBOL
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.code import generators as code
from hsa_conformance.topics.shared.traversal import Traversal, require_known

proves = Proofs()


def _traversal(scene: Scene) -> tuple[Traversal, int, Code]:
    chosen = scene.choose([code_objects.old_code(), code.code(scene)])
    handle = code.code_object(scene, chosen)
    return (
        Traversal(scene, ITERATE, "hsa_code_symbol_callback", code_object=handle),
        handle,
        chosen,
    )


@proves("hsa_code_object_iterate_symbols/once-per-symbol")
def each_symbol_of_code_is_reported_once(scene: Scene) -> None:
    """Each symbol is reported once, and the handles are those that look-ups give."""
    traversal, handle, chosen = _traversal(scene)
    expected = {int(code_objects.symbol(scene, handle, name)) for name in chosen.symbols}
    handles = traversal.handles()
    scene.require(
        len(handles) == len(expected) and set(handles) == expected,
        "the traversal does not report each symbol once",
        f"{len(handles)} handles for {len(expected)} symbols",
    )


@proves("hsa_code_object_iterate_symbols/passes-arguments")
def the_callback_receives_what_it_should(scene: Scene) -> None:
    """Each call of the callback gets the code object, a symbol of it, and the caller's data."""
    data = scene.draw(drawing.integers(0, 2**64 - 1))
    traversal, handle, _ = _traversal(scene)
    callback = Callback("hsa_code_symbol_callback")
    answer = scene.set_up(ITERATE, code_object=handle, callback=callback, data=data)
    known = set(traversal.handles())
    for subject, symbol, received in answer.callbacks:
        scene.require(
            subject == handle and symbol in known and received == data,
            "the callback received something else",
            f"{subject:#x}, {symbol:#x}, {received:#x}",
        )


@proves("hsa_code_object_iterate_symbols/stops")
def the_callback_ends_the_traversal(scene: Scene) -> None:
    """No symbol is reported after the callback answers anything but success."""
    _traversal(scene)[0].stops()


@proves("hsa_code_object_iterate_symbols/returns-callback-status")
def the_traversal_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of symbols answers the status with which the callback ended it."""
    _traversal(scene)[0].returns_callback_status()


@proves("hsa_code_object_iterate_symbols/valid-symbols")
def what_is_reported_can_be_queried(scene: Scene) -> None:
    """Each handle that the traversal reports is a symbol that has a kind."""
    answers = [
        ask(scene, OF_SYMBOL, "HSA_CODE_SYMBOL_INFO_TYPE", code_symbol=handle)
        for handle in _traversal(scene)[0].handles()
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL")
