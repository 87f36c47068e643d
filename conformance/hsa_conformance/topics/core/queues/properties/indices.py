"""The read and the write index of a queue."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.shared.queues import index, layout, types

proves = Proofs()

LOAD_ORDERS: Final = ("acquire", "scacquire", "relaxed")
STORE_ORDERS: Final = ("relaxed", "release", "screlease")
UPDATE_ORDERS: Final = (
    "acq_rel",
    "scacq_screl",
    "acquire",
    "scacquire",
    "relaxed",
    "release",
    "screlease",
)
WORD: Final = 2**64


def _family(form: str, orders: tuple[str, ...]) -> list[str]:
    return [form.format(order) for order in orders]


_LOAD = [
    *_family("hsa_queue_load_read_index_{}", LOAD_ORDERS),
    *_family("hsa_queue_load_write_index_{}", LOAD_ORDERS),
]
_STORE_WRITE = _family("hsa_queue_store_write_index_{}", STORE_ORDERS)
_STORE_READ = _family("hsa_queue_store_read_index_{}", STORE_ORDERS)
STORES = [*_STORE_WRITE, *_STORE_READ]
EXCHANGES = _family("hsa_queue_cas_write_index_{}", UPDATE_ORDERS)
ADDITIONS = _family("hsa_queue_add_write_index_{}", UPDATE_ORDERS)


def loads(which: str) -> list[str]:
    """Return the functions that load the "read" or the "write" index."""
    return [name for name in _LOAD if _which(name) == which]


def _number(scene: Scene) -> int:
    """Draw a count of packets, up to ones that only 64 bits hold."""
    number: int = scene.draw(
        drawing.one_of(drawing.integers(0, 64), drawing.integers(0, WORD // 2))
    )
    return number


def _set(scene: Scene, queue: int, which: str, number: int) -> None:
    scene.set_up(f"hsa_queue_store_{which}_index_screlease", queue=queue, value=number)


def _which(function: str) -> str:
    return "read" if "_read_" in function else "write"


def _ask(scene: Scene, function: str, queue: int, **arguments: int) -> int:
    return scene.call(function, queue=queue, **arguments).status % WORD


def _require(scene: Scene, found: int, wanted: int, what: str) -> None:
    scene.require(found == wanted, f"{what} is not {wanted:#x}", f"{found:#x}")


@proves.each(_LOAD, "value")
def the_index_is_what_was_stored(scene: Scene) -> None:
    """Loading an index gives what was stored into it, and not the other index."""
    function = scene.clause.function
    queue = queues.soft_queue(scene).handle
    values = {which: _number(scene) for which in ("read", "write")}
    for which, number in values.items():
        _set(scene, queue, which, number)
    _require(scene, _ask(scene, function, queue), values[_which(function)], "the result")


@proves.each(_LOAD, "counts-packets")
def the_index_goes_up_past_the_size(scene: Scene) -> None:
    """An index counts on past the size of the queue and does not wrap there."""
    function = scene.clause.function
    queue = queues.soft_queue(scene, size=1 << scene.draw(drawing.integers(0, 4)))
    which, total = _which(function), 0
    for _ in range(scene.draw(drawing.integers(1, 4))):
        total += scene.draw(drawing.integers(0, 3 * queue.size))
        if which == "read":
            _set(scene, queue.handle, which, total)
        else:
            before = index(scene, queue.handle, which)
            scene.set_up(
                "hsa_queue_add_write_index_relaxed", queue=queue.handle, value=total - before
            )
        _require(scene, _ask(scene, function, queue.handle), total, "the index")


@proves.each(_STORE_WRITE, "value")
@proves.each(_STORE_READ, "value")
def the_index_is_then_the_value(scene: Scene) -> None:
    """After a store, the index is the value.

    In a queue of the application it still is once the other index is changed.
    """
    function = scene.clause.function
    # Only the packet processor itself may set the read index of an agent's queue.
    write = _which(function) == "write"
    queue = queues.any_queue(scene) if write else queues.soft_queue(scene)
    number = _number(scene)
    scene.call(function, queue=queue.handle, value=number)
    if not queue.agent:
        _set(scene, queue.handle, "read" if write else "write", _number(scene))
    _require(scene, index(scene, queue.handle, _which(function)), number, "the index")


@proves.each(_STORE_WRITE, "alone")
def nothing_else_changes(scene: Scene) -> None:
    """Storing an index leaves the other index, the structure and the packets as they were."""
    function = scene.clause.function
    queue = queues.soft_queue(scene).handle
    _set(scene, queue, "read", _number(scene))
    before = index(scene, queue, "read"), layout(scene, queue)
    packets = types(scene, before[1])
    scene.call(function, queue=queue, value=_number(scene))
    after = index(scene, queue, "read"), layout(scene, queue)
    scene.require(before == after, f"the queue was {before}", after)
    found = types(scene, after[1])
    scene.require(packets == found, "packets changed their type", found)


@proves.each(EXCHANGES, "sets-when-expected")
def an_expected_index_is_replaced(scene: Scene) -> None:
    """A compare-and-swap that expects the write index replaces it by a greater value."""
    function = scene.clause.function
    queue = queues.any_queue(scene).handle
    old, more = _number(scene), scene.draw(drawing.integers(1, 1000))
    _set(scene, queue, "write", old)
    scene.call(function, queue=queue, expected=old, value=old + more)
    _require(scene, index(scene, queue, "write"), old + more, "the index")


@proves.each(EXCHANGES, "keeps-otherwise")
def an_unexpected_index_is_kept(scene: Scene) -> None:
    """A compare-and-swap that expects another write index, by one bit, leaves it as it is."""
    function = scene.clause.function
    queue = queues.any_queue(scene).handle
    old = _number(scene)
    _set(scene, queue, "write", old)
    expected = old ^ 1 << scene.draw(drawing.integers(0, 62))
    more = scene.draw(drawing.integers(1, 1000))
    scene.call(function, queue=queue, expected=expected, value=expected + more)
    _require(scene, index(scene, queue, "write"), old, "the index")


@proves.each(EXCHANGES, "returns-previous")
def a_replacement_returns_what_was(scene: Scene) -> None:
    """A compare-and-swap returns the write index before the call, expected or not.

    It does so when the same call is made once more.
    """
    function = scene.clause.function
    queue = queues.any_queue(scene).handle
    old = _number(scene)
    _set(scene, queue, "write", old)
    expected = old ^ scene.choose([0, 1, 1 << 40])
    for before in (old, expected + 1 if expected == old else old):
        found = _ask(scene, function, queue, expected=expected, value=expected + 1)
        _require(scene, found, before, "the result")


@proves.each(ADDITIONS, "raises")
def the_index_goes_up_by_the_value(scene: Scene) -> None:
    """An addition raises the write index by the value, 0 included."""
    function = scene.clause.function
    queue = queues.any_queue(scene).handle
    old, more = _number(scene), _number(scene)
    _set(scene, queue, "write", old)
    scene.call(function, queue=queue, value=more)
    _require(scene, index(scene, queue, "write"), (old + more) % WORD, "the index")


@proves.each(ADDITIONS, "returns-previous")
def an_addition_returns_what_was(scene: Scene) -> None:
    """An addition returns the write index before the call, and so does the same once more."""
    function = scene.clause.function
    queue = queues.any_queue(scene).handle
    old, more = _number(scene), scene.draw(drawing.integers(1, 1000))
    _set(scene, queue, "write", old)
    for before in (old, (old + more) % WORD):
        _require(scene, _ask(scene, function, queue, value=more), before, "the result")
