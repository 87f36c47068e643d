"""What is called when a block is given back, and when the runtime ends."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.events.generators import (
    CALLBACK,
    HANDLER,
    OTHER,
    register,
    register_handler,
)
from hsa_conformance.topics.amd.pools.fixtures import new_block
from hsa_conformance.topics.amd.pools.state import Allocation

proves = Proofs()

REGISTER = "hsa_amd_register_deallocation_callback"
DEREGISTER = "hsa_amd_deregister_deallocation_callback"

DATA = drawing.integers(0, (1 << 64) - 1)
TRIES = 16  # blocks that are allocated to get an address again


def _block(scene: Scene) -> Allocation:
    return new_block(scene)


def _address(scene: Scene, block: Allocation) -> int:
    """Return an address in a block, its start or another."""
    return block.address + scene.choose([0, 64])


def _free(scene: Scene, block: Allocation) -> Answer:
    return scene.set_up("hsa_amd_memory_pool_free", ptr=block.address)


def _shown(answer: Answer) -> str:
    calls = [f"({address:#x}, {data:#x})" for address, data in answer.callbacks]
    return ", ".join(calls) or "no call"


def _require_calls(scene: Scene, answer: Answer, *wanted: tuple[int, int]) -> None:
    scene.require(
        sorted(answer.callbacks) == sorted(wanted),
        f"giving the block back makes other than {len(wanted)} calls with what was registered",
        _shown(answer),
    )


@proves("hsa_amd_register_deallocation_callback/called")
def giving_a_block_back_calls_the_function(scene: Scene) -> None:
    """Freeing a block calls each function registered for it with its address and its data."""
    block = _block(scene)
    address, data = _address(scene, block), scene.draw(DATA)
    register(scene, address, data)
    wanted = [(int(address), data)]
    if scene.elements("functions of a block", most=2) == 2:
        other = scene.draw(DATA)
        # No text says whether there can be two; one that is taken is called.
        if scene.call(REGISTER, ptr=address, callback=OTHER, user_data=other).ok:
            wanted.append((int(address), other))
    _require_calls(scene, _free(scene, block), *wanted)


@proves("hsa_amd_register_deallocation_callback/called-once")
def a_new_block_at_the_address_calls_nothing(scene: Scene) -> None:
    """A deallocation callback is called once: not for a new block at the same address."""
    block = _block(scene)
    register(scene, block.address, scene.draw(DATA))
    _free(scene, block)
    for _ in range(TRIES):
        answer = scene.set_up(
            "hsa_amd_memory_pool_allocate",
            memory_pool=block.pool,
            size=block.size,
            flags=0,
            ptr=Out(),
        )
        if answer["ptr"] == block.address:
            _require_calls(scene, _free(scene, block))
            return
    raise CannotMake("no new block has the address of the former")


@proves("hsa_amd_register_deallocation_callback/may-repeat")
def each_of_several_functions_is_called(scene: Scene) -> None:
    """Two functions registered for a block are both called, each with its own data."""
    block = _block(scene)
    first, second = scene.draw(DATA), scene.draw(DATA)
    register(scene, block.address, first)
    register(scene, block.address, second, OTHER)
    wanted = [(int(block.address), data) for data in (first, second)]
    _require_calls(scene, _free(scene, block), *wanted)


@proves("hsa_amd_deregister_deallocation_callback/not-called")
def what_is_not_registered_any_more_is_not_called(scene: Scene) -> None:
    """After one of two deallocation callbacks is removed, only the other is called.

    Where a library takes a single function for a block, none is called.
    """
    block = _block(scene)
    addresses = _address(scene, block), _address(scene, block)
    removed, kept = scene.draw(drawing.permutations([CALLBACK, OTHER]))
    first, second = scene.draw(DATA), scene.draw(DATA)
    register(scene, addresses[0], first, removed)
    # No text says whether there can be two.
    both = scene.call(REGISTER, ptr=addresses[1], callback=kept, user_data=second).ok
    scene.set_up(DEREGISTER, ptr=addresses[0], callback=removed)
    wanted = [(int(addresses[1]), second)] if both else []
    _require_calls(scene, _free(scene, block), *wanted)


@proves("hsa_amd_deregister_deallocation_callback/all-of-a-pair")
def one_call_removes_all_registrations(scene: Scene) -> None:
    """A callback registered twice and removed once is not called when the block is freed."""
    block = _block(scene)
    for _ in range(2):
        register(scene, block.address, scene.draw(DATA))
    scene.set_up(DEREGISTER, ptr=block.address, callback=CALLBACK)
    _require_calls(scene, _free(scene, block))


@proves("hsa_amd_register_system_event_handler/told-of-shutdown", fresh=True)
def the_handler_is_told_that_the_runtime_ends(scene: Scene) -> None:
    """The last hsa_shut_down calls the event handler with its data, and an event that is not NULL.

    So it does for a second registration, if that succeeds, and once the runtime was started again.
    The event is the library's, and gone after the call: of which type it was is not looked at.
    """
    first, second = scene.draw(DATA), scene.draw(DATA)
    for again in range(scene.draw(drawing.integers(1, 2))):
        if again:
            scene.set_up("hsa_init")
        register_handler(scene, first)
        more = scene.session.call(
            "hsa_amd_register_system_event_handler", callback=HANDLER, data=second
        )
        answer = scene.set_up("hsa_shut_down")
        received = [data for event, data in answer.callbacks if event]
        for data in (first, second) if more.ok else (first,):
            scene.require(
                data in received,
                f"hsa_shut_down does not call the handler with an event and {data:#x}",
                _shown(answer),
            )
