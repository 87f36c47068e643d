"""Memory that several agents reach, signals to wait for, copy engines, and boxes of bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.values import Data, Out, Value
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import (
    CannotMake,
    Fixtures,
    NotOnMachine,
    Unsuitable,
)
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generators,
    near,
    put_handles,
    spoilt,
)
from hsa_conformance.topics.amd.locks.generators import LOCKED, host_memory, lock
from hsa_conformance.topics.amd.pools.fixtures import (
    BLOCK,
    allocate,
    allocate_block,
    allow_access,
    known_pools,
)
from hsa_conformance.topics.amd.pools.generators import access
from hsa_conformance.topics.amd.pools.state import Pool, pool_access
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.agents.state import find_agent
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import learn_frequency

STATUS: Final = "hsa_amd_memory_copy_engine_status"

#: The most bytes that are copied; machines copy larger blocks in other ways.
MOST: Final = 3 << 12
#: Bytes from one row of a box to the next, and from one slice to the next.
PITCH: Final = 64
SLICE: Final = 512
#: Bytes of a hsa_amd_memory_copy_op_t.
OPERATION: Final = 128
#: The engine that a GPU has last, if at all; a value of hsa_amd_sdma_engine_id_t.
LAST_ENGINE: Final = 0x8000


def discover(fixtures: Fixtures) -> None:
    """Ask the machine once for the copy engines that each GPU has, and for those between agents.

    The rate of the timestamp says how long a copy is waited for.
    """
    session, model = fixtures.session, fixtures.session.model
    learn_frequency(fixtures)
    if model.live("engine_count") or not session.offers(STATUS):
        return
    with session.trace.paused():
        constants = session.registry.constants
        for gpu in known_agents(fixtures, "gpu"):
            count = 0
            for engines in ("NUM_SDMA_ENG", "NUM_SDMA_XGMI_ENG"):
                attribute = constants[f"HSA_AMD_AGENT_INFO_{engines}"]
                with session.learning():
                    answer = session.set_up(
                        "hsa_agent_get_info", agent=gpu.handle, attribute=attribute, value=Out()
                    )
                count += answer.number("value")
            model.add("engine_count", gpu.handle, thing=count)
            for other in known_agents(fixtures):
                if other is not gpu:
                    for one, two in ((gpu, other), (other, gpu)):
                        session.call(
                            STATUS,
                            dst_agent=one.handle,
                            src_agent=two.handle,
                            engine_ids_mask=Out(),
                        )


def engines(fixtures: Fixtures) -> list[tuple[int, int, int]]:
    """Return destination, source and engine of each way to copy."""
    discover(fixtures)
    masks = fixtures.session.model.objects.get("engines", {})
    return [
        (to, of, 1 << bit)
        for (to, of), mask in masks.items()
        for bit in range(16)
        if mask >> bit & 1
    ]


def shared_pools(fixtures: Fixtures, location: str | None = None) -> list[Pool]:
    """Return the pools whose blocks all agents can be given access to."""
    return known_pools(
        fixtures,
        lambda p: (
            p.allocatable
            and location in (None, p.location)
            and all(
                pool_access(fixtures.session.model, a.handle, p.handle) != "never"
                for a in known_agents(fixtures)
            )
        ),
    )


def shared_block(fixtures: Fixtures, location: str | None = None, size: int = MOST) -> int:
    """Allocate a block that all agents can access, of so many bytes or a granule."""
    pool = fixtures.available(
        shared_pools(fixtures, location), f"{location or 'memory'} pool that all agents can access"
    )
    address = allocate(fixtures, pool, size)
    allow_access(fixtures, (agent.handle for agent in known_agents(fixtures)), address)
    return address


def _few(b: Builder, size: str) -> None:
    if not 0 < b.number(size) <= MOST:
        b.values[size] = b.draw(drawing.integers(1, MOST))


def _reaching(b: Builder, agent: str, address: str, size: str) -> None:
    _few(b, size)
    if find_agent(b.session.model, b.number(agent)) is None:
        b.values[agent] = b.one_of(known_agents(b)).handle
    wanted = max(MOST, b.number(size))
    agents = [b.number(p.name) for p in b.function.params if p.type == "hsa_agent_t"]
    devices = {getattr(find_agent(b.session.model, agent), "device", None) for agent in agents}
    if devices == {"cpu"}:
        b.values[address] = b.some_memory(b.kinds(wanted, on_host=True))
    else:
        b.values[address] = reached(b, wanted)


def reached(fixtures: Fixtures, size: int = MOST, location: str | None = None) -> int:
    """Return where memory of some kind starts that all agents can access; see `shared_block`."""
    kinds = {BLOCK: lambda: shared_block(fixtures, location, size)}
    fits = 2 * size < fixtures.session.scratch.left
    if fits and fixtures.session.offers("hsa_amd_memory_lock") and location != "gpu":
        kinds[LOCKED] = partial(_locked, fixtures, size)
    return fixtures.some_memory(kinds)


def _locked(fixtures: Fixtures, size: int) -> int:
    held = lock(fixtures, host_memory(fixtures, size), size)
    if held.agent_address != held.address:
        raise Unsuitable("host and GPUs have locked memory at different addresses")
    return held.agent_address


def _not_reaching(b: Builder, agent: str, address: str, size: str) -> None:
    _few(b, size)
    for device in ("cpu", "gpu"):  # a GPU that is not meant to reach memory faults
        pairs = [
            (a.handle, pool)
            for a in known_agents(b, device)
            for pool in known_pools(b, lambda p: p.allocatable)
            if access(b, a.handle, pool.handle) != "default"
        ]
        if pairs:
            b.values[agent], pool = b.choose(pairs)
            b.values[address] = allocate_block(b, pool)
            return
    raise NotOnMachine("every agent of the machine can access all memory")


def _dependencies(b: Builder, count: str, array: str) -> None:
    # They are 0 already, for nothing shall wait for ever.
    put_handles(b, array, count, [signal(b) for _ in range(b.elements(array, least=0))])
    if not b.number(count):
        b.values[array] = 0


def _dependencies_one_bad(b: Builder, count: str, array: str) -> None:
    # The last one is never 0: what is begun all the same must not end the process later.
    put_handles(b, array, count, [b.readable(), signal(b, 1)])


def _engine(b: Builder, destination: str, source: str, engine: str) -> None:
    found = engines(b)
    if engine in b.values.fixed:
        found = [e for e in found if e[2] == b.number(engine)]
    if not found:
        raise NotOnMachine("the machine has no such copy engine")
    here = [e for e in found if e[:2] == (b.number(destination), b.number(source))]
    b.values[destination], b.values[source], b.values[engine] = b.choose(here or found)


def _no_engine(b: Builder, destination: str, source: str, engine: str) -> None:
    discover(b)
    gpu = some_gpu(b).handle
    others = [a.handle for a in known_agents(b) if a.handle != gpu]
    known = b.session.model.find("engine_count", gpu)
    if isinstance(known, int) and LAST_ENGINE < 1 << known:
        raise NotOnMachine("the GPU has all engines that have a name")
    b.values[destination], b.values[source], b.values[engine] = gpu, b.choose(others), LAST_ENGINE


def pitched(base: int, pitch: int = PITCH, slice_: int = SLICE) -> Data:
    """Return a hsa_pitched_ptr_t."""
    content = b"".join(int(n).to_bytes(8, "little") for n in (base, pitch, slice_))
    return Data(content, f"&{{{base}, {pitch}, {slice_}}}", {0: base})


def dim3(x: int, y: int, z: int) -> Data:
    """Return a hsa_dim3_t."""
    content = b"".join(n.to_bytes(4, "little") for n in (x, y, z, 0))
    return Data(content, f"&{{{x}, {y}, {z}}}")


def _put_pitched(b: Builder, x: str, base: int, pitch: int = PITCH) -> None:
    b.values[x] = b.session.lay_out(pitched(base, pitch))


def _off(b: Builder, op: str, divisor: int) -> int:
    """Return how far a number is from the next multiple, as an operator wants it."""
    return 0 if op == "% ==" else b.draw(drawing.integers(1, divisor - 1))


def _base(b: Builder, names: Sequence[str], _: str, op: str, bound: object) -> None:
    divisor = int(str(bound))
    if op.startswith("%"):
        _put_pitched(b, names[0], shared_block(b) + _off(b, op, divisor))
    elif op == "!=":
        _put_pitched(b, names[0], shared_block(b))
    else:
        _put_pitched(b, names[0], near(b, op, divisor, 1))
        # A copy that is begun all the same must not end the process, which is another matter.
        put_handles(b, "dep_signals", "num_dep_signals", [signal(b, 1)])


def _pitch(b: Builder, names: Sequence[str], _: str, op: str, bound: object) -> None:
    if not op.startswith("%"):
        raise CannotMake("only multiples of a pitch are wanted")
    off = _off(b, op, int(str(bound)))
    _put_pitched(b, names[0], shared_block(b), PITCH + off)


def _extent(b: Builder, destination: str, source: str, extent: str) -> None:
    for side in (destination, source):
        _put_pitched(b, side, shared_block(b))
    x, y, z = (b.draw(drawing.integers(1, most)) for most in (PITCH, SLICE // PITCH, MOST // SLICE))
    b.values[extent] = b.session.lay_out(dim3(x, y, z))


def _no_extent(b: Builder, destination: str, source: str, extent: str) -> None:
    _extent(b, destination, source, extent)
    b.values[extent] = b.session.lay_out(dim3(1, 1, 1 << 16))


def offset(b: Fixtures) -> Value:
    """Return the offset of the first byte."""
    return b.session.lay_out(dim3(0, 0, 0))


def _put_operations(b: Builder, operations: str, heads: Sequence[int]) -> None:
    """Lay out plain copies that begin with some versions and kinds, and share a signal."""
    gpu, host = some_gpu(b).handle, b.choose(known_agents(b)).handle
    done, *blocks = signal(b, len(heads)), shared_block(b), shared_block(b)
    content, places = b"", dict[int, int]()
    for head in heads:
        numbers = (done, blocks[0], host, gpu, blocks[1])
        words = [head, *numbers, b.draw(drawing.integers(1, MOST))]
        places |= {len(content) + 8 * i: number for i, number in enumerate(numbers, 1)}
        content += b"".join(int(w).to_bytes(8, "little") for w in words).ljust(OPERATION, b"\0")
    b.values[operations] = b.session.lay_out(Data(content, "&operations", places))


def _operations(b: Builder, operations: str, count: str) -> None:
    b.values[count] = b.elements(operations)
    _put_operations(b, operations, [1] * b.number(count))


def _no_operations(b: Builder, operations: str, count: str) -> None:
    b.values[count] = 3
    _put_operations(b, operations, spoilt(b, [1, 1], 1 | 0x7FFF << 16))


def _version(b: Builder, names: Sequence[str], _: str, op: str, bound: object) -> None:
    _put_operations(b, names[0], [near(b, op, int(str(bound)), 1)])


GENERATORS: Mapping[str, Generators] = {
    "copies_valid": Generators(_operations, _no_operations),
    "dependencies_valid": Generators(_dependencies, _dependencies_one_bad),
    "reaches": Generators(_reaching, _not_reaching),
    "engine_exists": Generators(_engine, _no_engine),
    "extents_fit": Generators(_extent, _no_extent),
}

COMPARISONS: Mapping[str, Comparison] = {
    "copy_version": _version,
    "pitched_base": _base,
    "pitched_pitch": _pitch,
}
