"""Buffers of other drivers, and their mappings."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators, put_handles
from hsa_conformance.topics.amd.vmem.fixtures import export_handle
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_reports import Verdict

MAP = "hsa_amd_interop_map_buffer"


def exported(fixtures: Fixtures) -> int:
    """Return a descriptor of a buffer, as another driver would give one out.

    Raises:
        Unavailable: nothing here gives one out.

    """
    if not fixtures.session.offers("hsa_amd_vmem_export_shareable_handle"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the library gives out no descriptor of a buffer")
    return export_handle(fixtures)


def mapped(fixtures: Fixtures, descriptor: int, function: str = MAP, **values: Value) -> Answer:
    """Map a buffer for a GPU.

    Args:
        fixtures: where the GPU comes from.
        descriptor: the buffer.
        function: one of the functions that map.
        values: arguments that are not as usual.

    """
    hint = {"size_hint": 0} if function != MAP else {}
    usual: dict[str, Value] = {
        "num_agents": 1,
        "agents": handle_array([some_gpu(fixtures).handle]),
        "interop_handle": descriptor,
        "flags": 0,
        "size": Out(),
        "ptr": Out(),
        "metadata_size": Out(),
        "metadata": Out(),
        **hint,
    }
    return fixtures.session.call_with(function, {**usual, **values})


def _buffer(b: Builder, agents: str, handle: str) -> None:
    put_handles(b, agents, "num_agents", [some_gpu(b).handle])
    b.values[handle] = exported(b)


def _no_buffer(b: Builder, agents: str, handle: str) -> None:
    put_handles(b, agents, "num_agents", [some_gpu(b).handle])
    closed = b.session.open_file(b.granule())
    b.session.close_descriptor(closed)
    b.values[handle] = b.choose([b.session.open_file(b.granule()), closed])


def _mapping(b: Builder, x: str) -> None:
    b.values[x] = mapped(b, exported(b))["ptr"]


def _no_mapping(b: Builder, x: str) -> None:
    b.values[x] = b.choose([b.readable(), b.session.model.page_size])


GENERATORS: Mapping[str, Generators] = {
    "can_export_buffer": Generators(_buffer, _no_buffer),
    "is_interop_buffer": Generators(_mapping, _no_mapping),
}
