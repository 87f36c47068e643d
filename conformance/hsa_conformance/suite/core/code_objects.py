"""Deprecated code objects, and their symbols."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_adapters.protocol import Callback
from hsa_conformance.checks.properties import Scene, proves
from hsa_conformance.code_objects import Code
from hsa_conformance.session import Answer, Out
from hsa_conformance.strategies.core import code, code_objects

SERIALIZE: Final = "hsa_code_object_serialize"
DESERIALIZE: Final = "hsa_code_object_deserialize"
QUERY: Final = "hsa_code_object_get_info"
OF_SYMBOL: Final = "hsa_code_symbol_get_info"
FIND: Final = ("hsa_code_object_get_symbol", "hsa_code_object_get_symbol_from_name")
LOAD: Final = "hsa_executable_load_code_object"
ITERATE: Final = "hsa_code_object_iterate_symbols"


def _some(scene: Scene) -> tuple[int, Code]:
    """Return a code object, and what it holds."""
    chosen = scene.choose([code_objects.old_code(), code.code(scene)])
    return code.code_object(scene, chosen), chosen


# writing code objects down


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


@proves(f"{SERIALIZE}/returns-callback-status")
def serializing_answers_with_the_callbacks_status(scene: Scene) -> None:
    """What is wrong with the memory is what is wrong with the call."""
    values = scene.session.registry.enums["hsa_status_t"].values
    status = scene.draw(st.sampled_from(sorted(values - {0})))
    callback = Callback("hsa_code_object_alloc_callback", (status,))
    handle, _ = _some(scene)
    scene.require_status(
        _serialize(scene, handle, callback=callback), scene.session.registry.status_name(status)
    )
