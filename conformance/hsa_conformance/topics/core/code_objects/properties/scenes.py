"""What properties of code objects begin with, and what they look at."""

from __future__ import annotations

from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.code_objects import Code
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.topics.core.code_objects import generators as code_objects
from hsa_conformance.topics.shared.code import generators as code

SERIALIZE: Final = "hsa_code_object_serialize"
DESERIALIZE: Final = "hsa_code_object_deserialize"
QUERY: Final = "hsa_code_object_get_info"
OF_SYMBOL: Final = "hsa_code_symbol_get_info"
FIND: Final = ("hsa_code_object_get_symbol", "hsa_code_object_get_symbol_from_name")
LOAD: Final = "hsa_executable_load_code_object"
ITERATE: Final = "hsa_code_object_iterate_symbols"


def some(scene: Scene) -> tuple[int, Code]:
    """Return a code object, and what it holds."""
    chosen = scene.choose([code_objects.old_code(), code.code(scene)])
    return code.code_object(scene, chosen), chosen


def ask_code(scene: Scene, handle: int, attribute: str) -> Answer:
    """Ask for an attribute of a code object."""
    number = scene.session.registry.constants[attribute]
    return scene.call(QUERY, code_object=handle, attribute=number, value=Out())


def described_symbol(scene: Scene, symbol: int, attribute: str) -> int:
    """Return an attribute of a symbol that is a number."""
    number = scene.session.registry.constants[f"HSA_CODE_SYMBOL_INFO_{attribute}"]
    return scene.set_up(OF_SYMBOL, code_symbol=symbol, attribute=number, value=Out()).number(
        "value"
    )


def name_of_symbol(scene: Scene, symbol: int) -> bytes:
    """Return the name of a symbol."""
    length = described_symbol(scene, symbol, "NAME_LENGTH")
    number = scene.session.registry.constants["HSA_CODE_SYMBOL_INFO_NAME"]
    answer = scene.set_up(OF_SYMBOL, code_symbol=symbol, attribute=number, value=Out(length or 1))
    return (answer.outputs["value"] or b"")[:length]


def symbol_names(scene: Scene, handle: int) -> set[str]:
    """Return the names of the symbols that a traversal reports."""
    callback = Callback("hsa_code_symbol_callback")
    answer = scene.set_up(ITERATE, code_object=handle, callback=callback, data=0)
    return {name_of_symbol(scene, symbol).decode("latin-1") for _, symbol, _ in answer.callbacks}
