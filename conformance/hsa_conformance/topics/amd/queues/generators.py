"""Queues that share hardware, and masks of compute units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import UNKNOWN_SIZE, Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Comparison, Generators
from hsa_conformance.topics.amd.queues.state import AGENT, DOORBELL, ENGINE, Units
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.queues import generators as queues

NORMAL: Final = 1  # priority
ACQUIRE: Final = "hsa_amd_counted_queue_acquire"
#: From this generation on, two compute units make a work group processor.
_PAIRED: Final = 10


def discover(fixtures: Fixtures) -> None:
    """Ask each agent for its queues, and each GPU for its compute units."""
    queues.discover(fixtures)
    for agent in known_agents(fixtures, "gpu"):
        units(fixtures, agent.handle)


def units(fixtures: Fixtures, agent: int) -> Units:
    """Return the compute units of a GPU, which is asked once."""
    model = fixtures.session.model
    found = model.find("units", agent)
    if not isinstance(found, Units):
        with fixtures.session.learning():
            count = _ask(fixtures, agent, "HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT")
            name = _ask(fixtures, agent, "HSA_AGENT_INFO_NAME")
        target = re.match(rb"gfx(\d+)[0-9a-f]{2}\b", name)
        generation = int(target[1]) if target else 0
        found = Units(int.from_bytes(count, "little"), generation >= _PAIRED)
        model.add("units", agent, thing=found)
    return found


def _ask(fixtures: Fixtures, agent: int, attribute: str) -> bytes:
    number = fixtures.session.registry.constants[attribute]
    answer = fixtures.session.set_up(
        "hsa_agent_get_info", agent=agent, attribute=number, value=Out()
    )
    return answer.outputs["value"] or b""


def counted_queue(fixtures: Fixtures, priority: int = NORMAL, agent: int | None = None) -> int:
    """Get a queue whose hardware may be shared.

    Args:
        fixtures: where valid things come from.
        priority: of the queue.
        agent: a GPU; any by default.

    Raises:
        NotOnMachine: the release has no such queues.

    """
    if not fixtures.session.offers(ACQUIRE):
        raise NotOnMachine("the release has no counted queues")
    answer = fixtures.session.set_up(
        ACQUIRE,
        agent=agent or some_gpu(fixtures).handle,
        type=queues.MULTI,
        priority=priority,
        callback=0,
        data=0,
        flags=0,
        queue=Out(),
    )
    return answer["queue"]


def _counted(b: Builder, x: str) -> None:
    b.values[x] = counted_queue(b)


def _not_counted(b: Builder, x: str) -> None:
    b.values[x] = b.choose([queues.queue(b).handle, b.readable()])


def _choose(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    if attribute != "on_gpu" or op != "==":
        raise CannotMake(f"no choice of a queue by {attribute}")
    b.values[names[0]] = (queues.queue(b) if wanted else queues.soft_queue(b)).handle


def put_mask(b: Builder, count: str, mask: str, bits: int, value: int) -> None:
    """Give a call a mask of compute units, with its length in bits."""
    words = f"mask {value:#x}"
    b.values[mask] = b.session.place(value.to_bytes(bits // 8, "little"), words)
    b.values[count] = bits


def _bits(b: Builder) -> int:
    return 32 * int(b.draw(drawing.integers(1, 4)))


def _paired(b: Builder, _: str, count: str, mask: str) -> None:
    bits = _bits(b)
    put_mask(b, count, mask, bits, b.choose([(1 << bits) - 1, 0x33]))


def _parted(b: Builder, queue: str, count: str, mask: str) -> None:
    paired = [a for a in known_agents(b, "gpu") if units(b, a.handle).in_pairs]
    if not paired:
        raise NotOnMachine("no agent of the machine keeps compute units together")
    b.values[queue] = queues.queue(b, agent=b.choose(paired).handle).handle
    put_mask(b, count, mask, _bits(b), b.choose([0x5, 0x6, 0x1]))


def _masked(_: Builder, *__: str) -> None:
    raise CannotMake("the suite sets no HSA_CU_MASK")


def _unmasked(_: Builder, *__: str) -> None:
    """Every mask is one: the suite sets no HSA_CU_MASK."""


def intercepted_queue(fixtures: Fixtures) -> int:
    """Create a queue whose packets can be intercepted."""
    agent = some_gpu(fixtures).handle
    offered = queues.limits(fixtures, agent)
    answer = fixtures.session.set_up(
        "hsa_amd_queue_intercept_create",
        agent_handle=agent,
        size=max(offered.least, 4),
        type=queues.MULTI if queues.MULTI in offered.types else queues.SINGLE,
        callback=0,
        data=0,
        private_segment_size=UNKNOWN_SIZE,
        group_segment_size=UNKNOWN_SIZE,
        queue=Out(),
    )
    return answer["queue"]


def _interceptable(b: Builder, x: str) -> None:
    b.values[x] = intercepted_queue(b)


def _not_interceptable(b: Builder, x: str) -> None:
    b.values[x] = queues.queue(b).handle


def _attribute(b: Builder, queue: str, attribute: str) -> None:
    b.values[queue] = queues.queue(b).handle
    b.values[attribute] = b.choose([AGENT, DOORBELL])


def _no_attribute(b: Builder, queue: str, attribute: str) -> None:
    if b.number(attribute) == ENGINE:
        b.values[queue] = queues.any_queue(b).handle
    else:
        b.values[queue] = queues.soft_queue(b).handle
        b.values[attribute] = b.choose([AGENT, DOORBELL])


GENERATORS: Mapping[str, Generators] = {
    "is_counted_queue": Generators(_counted, _not_counted),
    "units_in_pairs": Generators(_paired, _parted),
    "enables_masked_units": Generators(_masked, _unmasked),
    "interceptable": Generators(_interceptable, _not_interceptable),
    "queue_has_attribute": Generators(_attribute, _no_attribute),
}

COMPARISONS: Mapping[str, Comparison] = {"queue": _choose}
