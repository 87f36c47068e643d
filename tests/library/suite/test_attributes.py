"""What the suite takes from the registry about attributes: room for them, and who has them."""

from __future__ import annotations

import pytest

from hsa_conformance.engine.calls.output_sizes import PLENTY, output_size
from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.generation.definedness import is_defined
from hsa_conformance.engine.generation.values.named_values import named_values, unreported
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.pools.state import pools
from hsa_conformance.topics.core.agents.state import agents
from hsa_conformance.topics.shared.code.attributes import OF_CODE, OF_EXECUTABLES, suits
from hsa_conformance.topics.shared.code.state import KERNEL, VARIABLE
from hsa_spec import Registry


@pytest.mark.parametrize(
    ("function", "attribute", "expected"),
    [
        ("hsa_agent_get_info", "HSA_AGENT_INFO_NAME", 64),
        ("hsa_agent_get_info", "HSA_AGENT_INFO_WORKGROUP_MAX_DIM", 6),
        ("hsa_agent_get_info", "HSA_AMD_AGENT_INFO_CLUSTER_MAX_DIM", 24),
        ("hsa_agent_get_info", "HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS", 24),
        ("hsa_agent_get_info", "HSA_AMD_AGENT_INFO_PM4_EMULATION", PLENTY),
        ("hsa_agent_get_info", "HSA_AGENT_INFO_LAST", PLENTY),
        ("hsa_cache_get_info", "HSA_CACHE_INFO_NAME", PLENTY),
    ],
)
def test_an_output_has_the_room_of_its_attribute(
    registry: Registry, function: str, attribute: str, expected: int
) -> None:
    """There is plenty for an attribute that is unknown, or whose size the header leaves open."""
    called = registry.functions[function]
    values: dict[str, Value] = {"attribute": registry.constants[attribute], "value": Out()}
    assert expected == output_size(called, called.parameter["value"], values, registry)


def test_an_output_of_a_type_has_its_room(registry: Registry) -> None:
    called = registry.functions["hsa_amd_vmem_get_access"]
    assert 4 == output_size(called, called.parameter["perms"], {}, registry)


def test_there_is_plenty_for_bits_that_the_caller_counts(registry: Registry) -> None:
    called = registry.functions["hsa_amd_queue_cu_get_mask"]
    assert PLENTY == output_size(called, called.parameter["cu_mask"], {}, registry)


def test_a_query_has_attributes_that_it_does_not_report(session: Session) -> None:
    """Those of the enumeration that belong to other queries."""
    function = session.registry.functions["hsa_amd_image_get_info_max_dim"]
    found = unreported(session, function)
    assert "HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS" in found
    assert found.keys().isdisjoint(named_values(session, function, function.parameter["attribute"]))


def defined(session: Session, function: str, attribute: str, **subject: int) -> bool | None:
    """Return whether an attribute is defined for an object of the reference."""
    registry = session.registry
    return is_defined(
        session, registry.functions[function], registry.attributes[attribute], subject
    )


def test_an_agent_is_asked_whether_it_runs_kernels(session: Session) -> None:
    """On the reference the GPUs do, and the CPUs do not."""
    found = {
        (agent.device, defined(session, "hsa_agent_get_info", name, agent=agent.handle))
        for agent in agents(session.model)
        for name in ("HSA_AGENT_INFO_WAVEFRONT_SIZE", "HSA_AMD_AGENT_INFO_CHIP_ID")
    }
    assert {("cpu", False), ("gpu", True)} == found


def test_a_pool_is_asked_whether_it_can_be_allocated(session: Session) -> None:
    query, name = "hsa_amd_memory_pool_get_info", "HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE"
    known = pools(session.model)
    found = [defined(session, query, name, memory_pool=pool.handle) for pool in known]
    assert [pool.allocatable for pool in known] == found
    assert {True, False} == set(found)


@pytest.mark.parametrize(
    ("name", "kind", "program", "expected"),
    [
        ("KERNEL_OBJECT", KERNEL, False, True),
        ("KERNEL_OBJECT", VARIABLE, False, False),
        ("VARIABLE_ADDRESS", VARIABLE, True, True),
        ("VARIABLE_ADDRESS", KERNEL, False, False),
        ("AGENT", VARIABLE, True, False),
        ("AGENT", VARIABLE, False, True),
        ("AGENT", KERNEL, False, True),
        ("MODULE_NAME_LENGTH", KERNEL, False, True),
    ],
)
def test_a_symbol_has_the_attributes_of_its_kind(
    registry: Registry, name: str, kind: int, program: bool, expected: bool
) -> None:
    number = registry.constants[f"HSA_EXECUTABLE_SYMBOL_INFO_{name}"]
    assert expected == suits(OF_EXECUTABLES, number, kind, program)


def test_a_wavefront_size_is_an_attribute_of_kernels(registry: Registry) -> None:
    number = registry.constants["HSA_CODE_SYMBOL_INFO_KERNEL_WAVEFRONT_SIZE"]
    assert (True, False) == (suits(OF_CODE, number, KERNEL), suits(OF_CODE, number, VARIABLE))
