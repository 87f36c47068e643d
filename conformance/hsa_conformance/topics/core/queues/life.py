"""Queues in random sequences: what each says of itself, and its indices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.comparing import equal
from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.core.queues.generators import COOPERATIVE
from hsa_conformance.topics.core.queues.state import Queue, full
from hsa_conformance.topics.shared.queues import Layout, index, layout

_NUMBERS: Final = (0, 1, 5, 1 << 33, 1 << 62)
_WAYS: Final = ("read", "write")


def _seen(p: Player, queue: Queue) -> Layout | None:
    """Return what the structure of a queue held when it was looked at first."""
    found = p.model.find("layout", queue.handle)
    return found[1] if found is not None and found[0] is queue else None


def change(p: Player) -> None:
    """Store an index of a queue; the read index only where no agent reads the packets."""
    queue: Queue = p.one_of(p.model.live("queue"))
    which, number = p.one_of(_WAYS if not queue.agent else _WAYS[1:]), p.one_of(_NUMBERS)
    p.session.set_up(f"hsa_queue_store_{which}_index_screlease", queue=queue.handle, value=number)
    p.model.add(f"{which}_index", queue.handle, thing=(queue, number))


def look_at_indices(p: Player) -> None:
    """Load both indices of a queue: 0, or what was stored last."""
    for queue in p.some(p.model.live("queue")):
        for which in _WAYS:
            stored = p.model.find(f"{which}_index", queue.handle)
            clause, wanted = "hsa_queue_create/indices-zero", 0
            if stored is not None and stored[0] is queue:
                clause, wanted = f"hsa_queue_load_{which}_index_scacquire/value", stored[1]
            scene = p.demand(clause)
            found = index(scene, queue.handle, which)
            scene.require(found == wanted, f"the {which} index is not {wanted:#x}", f"{found:#x}")


def look_at_structures(p: Player) -> None:
    """Read the structure of a queue: its type, its size and its id are what they were at first."""
    for queue in p.some(p.model.live("queue")):
        scene, before = p.claim("hsa_queue_create/type"), _seen(p, queue)
        now = layout(scene, queue.handle)
        if before is None:
            continue
        scene.require(equal(now.type, queue.type), f"the type is not {queue.type}", now.type)
        p.claim("hsa_queue_create/size").require(
            now.size == before.size, f"the size was {before.size} at first", now.size
        )
        others = [told.id for other, told in p.model.live("layouts") if other is not queue]
        p.demand("hsa_queue_create/id-unique").require(
            now.id not in others, "the id is or was that of another queue", now.id
        )


def look_at_the_newest(p: Player, maker: str) -> None:
    """Read the structure of a new queue: its type, an id of its own, and a ring of its own."""
    queue: Queue = p.model.live("queue")[-1]
    scene = p.claim("hsa_queue_create/type")  # more is looked at where that does not hold
    now, others = layout(scene, queue.handle), p.model.live("layouts")
    p.model.add("layout", queue.handle, thing=(queue, now))
    p.model.add("layouts", len(others), thing=(queue, now))
    scene.require(equal(now.type, queue.type), f"the type is not {queue.type}", now.type)
    p.demand(f"{maker}/id-unique").require(
        now.id not in [told.id for _, told in others],
        "the id is or was that of another queue",
        now.id,
    )
    for other, told in others:
        if p.model.find("queue", other.handle) is other:
            p.demand("hsa_queue_create/size").require(
                now.base + 64 * now.size <= told.base or told.base + 64 * told.size <= now.base,
                "the rings of two queues overlap",
                f"{now.base:#x} and {told.base:#x}",
            )


def _open(model: Model, arguments: Mapping[str, int]) -> bool:
    """Return whether a queue is asked for that several callers may get, or one too many."""
    return arguments["type"] == COOPERATIVE or full(model, arguments)


LIFE = Life(
    clause="hsa_queue_destroy/success",
    functions=("hsa_queue_create", "hsa_soft_queue_create", "hsa_queue_destroy"),
    openings=(("hsa_queue_create", "hsa_queue_create"),),
    acts=(change,),
    exclusions={"hsa_queue_create": _open},
    after={
        maker: partial(look_at_the_newest, maker=maker)
        for maker in ("hsa_queue_create", "hsa_soft_queue_create")
    },
    looks=(look_at_indices, look_at_structures),
    examples=0.5,
)
