"""The registry has the functions and the codes that the headers have.

The tables here were written down by themselves, not generated from the registry.
"""

from __future__ import annotations

import pytest

from hsa_spec import Kind, Registry
from hsa_spec.releases import Release

FUNCTIONS = {
    "core/init": "hsa_init hsa_shut_down",
    "core/status": "hsa_status_string",
    "core/system": "hsa_system_get_info",
    "core/agents": "hsa_iterate_agents hsa_agent_get_info",
    "amd/pools": (
        "hsa_amd_agent_iterate_memory_pools hsa_amd_memory_pool_get_info "
        "hsa_amd_agent_memory_pool_get_info hsa_amd_memory_pool_allocate hsa_amd_memory_pool_free "
        "hsa_amd_agents_allow_access"
    ),
    "amd/pointers": "hsa_amd_pointer_info",
    "amd/vmem": (
        "hsa_amd_vmem_address_reserve hsa_amd_vmem_address_reserve_align "
        "hsa_amd_vmem_address_free hsa_amd_vmem_handle_create hsa_amd_vmem_handle_release "
        "hsa_amd_vmem_map hsa_amd_vmem_unmap hsa_amd_vmem_set_access hsa_amd_vmem_get_access "
        "hsa_amd_vmem_export_shareable_handle hsa_amd_vmem_import_shareable_handle "
        "hsa_amd_vmem_retain_alloc_handle hsa_amd_vmem_get_alloc_properties_from_handle"
    ),
}

STATUS = {
    "HSA_STATUS_SUCCESS": 0x0,
    "HSA_STATUS_INFO_BREAK": 0x1,
    "HSA_STATUS_ERROR": 0x1000,
    "HSA_STATUS_ERROR_INVALID_ARGUMENT": 0x1001,
    "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION": 0x1002,
    "HSA_STATUS_ERROR_INVALID_ALLOCATION": 0x1003,
    "HSA_STATUS_ERROR_INVALID_AGENT": 0x1004,
    "HSA_STATUS_ERROR_INVALID_REGION": 0x1005,
    "HSA_STATUS_ERROR_INVALID_SIGNAL": 0x1006,
    "HSA_STATUS_ERROR_INVALID_QUEUE": 0x1007,
    "HSA_STATUS_ERROR_OUT_OF_RESOURCES": 0x1008,
    "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT": 0x1009,
    "HSA_STATUS_ERROR_RESOURCE_FREE": 0x100A,
    "HSA_STATUS_ERROR_NOT_INITIALIZED": 0x100B,
    "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW": 0x100C,
    "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS": 0x100D,
    "HSA_STATUS_ERROR_INVALID_INDEX": 0x100E,
    "HSA_STATUS_ERROR_INVALID_ISA": 0x100F,
    "HSA_STATUS_ERROR_INVALID_CODE_OBJECT": 0x1010,
    "HSA_STATUS_ERROR_INVALID_EXECUTABLE": 0x1011,
    "HSA_STATUS_ERROR_FROZEN_EXECUTABLE": 0x1012,
    "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME": 0x1013,
    "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED": 0x1014,
    "HSA_STATUS_ERROR_VARIABLE_UNDEFINED": 0x1015,
    "HSA_STATUS_ERROR_EXCEPTION": 0x1016,
    "HSA_STATUS_ERROR_INVALID_ISA_NAME": 0x1017,
    "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL": 0x1018,
    "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL": 0x1019,
    "HSA_STATUS_ERROR_INVALID_FILE": 0x1020,
    "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER": 0x1021,
    "HSA_STATUS_ERROR_INVALID_CACHE": 0x1022,
    "HSA_STATUS_ERROR_INVALID_WAVEFRONT": 0x1023,
    "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP": 0x1024,
    "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE": 0x1025,
    "HSA_STATUS_ERROR_FATAL": 0x1026,
    "HSA_STATUS_ERROR_INVALID_MEMORY_POOL": 40,
    "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION": 41,
    "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION": 42,
    "HSA_STATUS_ERROR_MEMORY_FAULT": 43,
    "HSA_STATUS_CU_MASK_REDUCED": 44,
    "HSA_STATUS_ERROR_OUT_OF_REGISTERS": 45,
    "HSA_STATUS_ERROR_RESOURCE_BUSY": 46,
    "HSA_STATUS_ERROR_NOT_SUPPORTED": 47,
    "HSA_STATUS_ERROR_XNACK_DISABLED": 48,
    "HSA_STATUS_ERROR_INVALID_DISPATCH_PARAMETERS": 49,
    "HSA_STATUS_ERROR_RESOURCE_NOT_READY": 50,
    "HSA_EXT_STATUS_ERROR_INVALID_PROGRAM": 0x2000,
    "HSA_EXT_STATUS_ERROR_INVALID_MODULE": 0x2001,
    "HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE": 0x2002,
    "HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED": 0x2003,
    "HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH": 0x2004,
    "HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED": 0x2005,
    "HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH": 0x2006,
    "HSA_EXT_STATUS_ERROR_INVALID_CODE_OBJECT_WRITER": 0x2007,
    "HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED": 0x3000,
    "HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED": 0x3001,
    "HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED": 0x3002,
    "HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED": 0x3003,
    "HSA_EXT_STATUS_ERROR_INVALID_SESSION_STATE": 0x4000,
    "HSA_EXT_STATUS_ERROR_INVALID_SAMPLING_CONTEXT": 0x4001,
    "HSA_EXT_STATUS_ERROR_CANNOT_STOP_SESSION": 0x4002,
    "HSA_EXT_STATUS_ERROR_EVENTS_NOT_INITIALIZED": 0x5000,
    "HSA_EXT_STATUS_ERROR_ALREADY_INITIALIZED": 0x5001,
    "HSA_EXT_STATUS_ERROR_OUT_OF_EVENTS": 0x5002,
    "HSA_EXT_STATUS_ERROR_EVENT_NOT_REGISTERED": 0x5003,
    "HSA_EXT_STATUS_ERROR_CANNOT_USE_PRODUCERS": 0x5004,
}

OTHER_VALUES = {
    "hsa_access_permission_t": {"NONE": 0, "RO": 1, "WO": 2, "RW": 3},
    "hsa_device_type_t": {"CPU": 0, "GPU": 1, "DSP": 2, "AIE": 3},
    "hsa_queue_type_t": {"MULTI": 0, "SINGLE": 1, "COOPERATIVE": 2},
    "hsa_amd_pointer_type_t": {
        "UNKNOWN": 0,
        "HSA": 1,
        "LOCKED": 2,
        "GRAPHICS": 3,
        "IPC": 4,
        "RESERVED_ADDR": 5,
        "HSA_VMEM": 6,
    },
    "hsa_amd_memory_type_t": {"NONE": 0, "PINNED": 1},
    "hsa_amd_vmem_address_reserve_flag_t": {"NO_REGISTER": 1},
}


def test_functions_by_topic(registry: Registry) -> None:
    """The functions of these topics are there, and no other."""
    for topic, names in FUNCTIONS.items():
        found = {f.name for f in registry.functions.values() if f.topic == topic}
        assert set(names.split()) == found


#: How many functions, parameters and documented statuses the headers of August 2025 have, which
#: declare interface 1.11: counted by another program, not by this one.
INVENTORY = {
    "hsa.h": (159, 418, 309),
    "hsa_ext_amd.h": (74, 255, 229),
    "hsa_ven_amd_loader.h": (7, 18, 27),
    "hsa_ext_image.h": (14, 65, 69),
    "hsa_ext_finalize.h": (6, 21, 30),
    "hsa_ven_amd_aqlprofile.h": (13, 28, 0),
    "hsa_ven_amd_pc_sampling.h": (7, 26, 20),
}


@pytest.mark.parametrize("header", INVENTORY)
def test_functions_of_a_header(registry: Registry, header: str) -> None:
    """Each header's functions, parameters and documented statuses are all there, once."""
    release = Release(interface="1.11")
    functions = [
        f
        for f in registry.functions.values()
        if f.header == header and release.has(f.versions) is True
    ]
    statuses = sum(
        len(f.documented) + sum(release.has(since) is False for since in f.dropped.values())
        for f in functions
    )
    counted = (len(functions), sum(len(f.params) for f in functions), statuses)
    assert INVENTORY[header] == counted


def test_all_functions(registry: Registry) -> None:
    """Interface 1.31 has 301 functions, three are for tools alone, 49 the Foundation's alone."""
    assert 353 == len(registry.functions)
    foundation = [f for f in registry.functions.values() if f.header == "hsa_ext.h"]
    assert 49 == len(foundation)
    tools = [f.name for f in registry.functions.values() if f.header == "hsa_api_trace.h"]
    assert 3 == len(tools)


@pytest.mark.parametrize(
    ("table", "members"),
    [
        ("CoreApiTable", 125),
        ("AmdExtTable", 74),
        ("ImageExtTable", 14),
        ("FinalizerExtTable", 6),
        ("PcSamplingExtTable", 7),
        ("ToolsApiTable", 6),
    ],
)
def test_members_of_tables(registry: Registry, table: str, members: int) -> None:
    """The tables of the tools' interface have as many members as in August 2025."""
    release = Release(interface="1.11")
    found = [m for m in registry.tables[table].members if release.has(m.versions) is True]
    assert members == len(found)


def test_status_codes(registry: Registry) -> None:
    """All 66 status codes have the values of the headers."""
    found = {e.name: e.value for e in registry.enums["hsa_status_t"].enumerators}
    assert 66 == len(STATUS)
    assert STATUS == found


@pytest.mark.parametrize("enum", OTHER_VALUES)
def test_other_values(registry: Registry, enum: str) -> None:
    """Enumerations that calls depend on have the values of the headers."""
    values = {e.name: e.value for e in registry.enums[enum].enumerators}
    assert len(OTHER_VALUES[enum]) == len(values)
    for ending, value in OTHER_VALUES[enum].items():
        assert [value] == [v for name, v in values.items() if name.endswith(f"_{ending}")][-1:]


def test_each_function_is_exported_and_has_a_success(registry: Registry) -> None:
    """A symbol has a clause if a library exports it, and success if there is a status."""
    for function in registry.functions.values():
        exported = [c for c in function.clauses if c.kind is Kind.EXPORT]
        assert (function.export == "linker") == bool(exported)
        if function.result == "hsa_status_t":
            assert function.success is function.clause("success")


def test_select(registry: Registry) -> None:
    """Clauses are found by topic, function, id, and the beginning of an id."""
    by_topic = list(registry.select("core/init"))
    assert {"hsa_init", "hsa_shut_down"} == {c.function for c in by_topic}
    assert ["hsa_init/success"] == [c.id for c in registry.select("hsa_init/success")]
    of_init = [c for c in registry.select("hsa_init") if c.id.startswith("hsa_init/")]
    assert list(registry.functions["hsa_init"].clauses) == of_init
    assert {f"hsa_amd_{c.function[8:]}" for c in registry.select("hsa_amd_vmem_a")} == {
        "hsa_amd_vmem_address_reserve",
        "hsa_amd_vmem_address_reserve_align",
        "hsa_amd_vmem_address_free",
    }
    assert [] == list(registry.select("nothing"))


def test_core_comes_before_its_extensions(registry: Registry) -> None:
    """Topics are read core first, so that reports begin with what everything else needs."""
    folders = [topic.split("/")[0] for topic in registry.topics]
    assert sorted(folders, key=lambda folder: folder != "core") == folders
