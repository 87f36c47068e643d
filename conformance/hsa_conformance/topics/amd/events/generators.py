"""Handlers of events of the whole system, and functions that wait for the end of a block."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_adapters.calls import Callback
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.amd.pools.fixtures import allocate_block

HANDLER = Callback("hsa_amd_system_event_callback_t")
CALLBACK = Callback("hsa_amd_deallocation_callback_t")
OTHER = Callback("hsa_amd_deallocation_callback_t", (1,))


def register_handler(fixtures: Fixtures, data: int = 0) -> None:
    """Register a handler of events of the whole system."""
    fixtures.session.set_up("hsa_amd_register_system_event_handler", callback=HANDLER, data=data)


def register(
    fixtures: Fixtures, address: int, data: int = 0, callback: Callback = CALLBACK
) -> None:
    """Register a function that is called when the block around an address is given back."""
    fixtures.session.set_up(
        "hsa_amd_register_deallocation_callback", ptr=address, callback=callback, user_data=data
    )


def _handler(b: Builder, x: str) -> None:
    register_handler(b)
    b.values[x] = HANDLER


def _no_handler(b: Builder, x: str) -> None:
    if b.session.model.live("event handler"):
        raise CannotMake("a handler was registered, and none can be removed")


def _registered(b: Builder, address: str, callback: str) -> None:
    block = allocate_block(b) + b.choose([0, 64])
    register(b, block)
    b.values[address], b.values[callback] = block, CALLBACK


def _not_registered(b: Builder, address: str, callback: str) -> None:
    registered = allocate_block(b)
    register(b, registered)
    b.values[address] = b.some_memory({"beside the address": lambda: registered + 64, **b.kinds()})


GENERATORS: Mapping[str, Generators] = {
    "has_event_handler": Generators(_handler, _no_handler),
    "is_deallocation_callback": Generators(_registered, _not_registered),
}
