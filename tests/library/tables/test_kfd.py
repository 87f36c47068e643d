"""The driver's interface as its imitation has it, by linux/kfd_ioctl.h and linux/kfd_sysfs.h.

The headers of the system may be older than what is imitated, and lack what ROCm alone has; the
variable HSA_KFD_HEADER names another linux/kfd_ioctl.h, such as that of ROCr's sources.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

import hsa_adapters.virtual_kfd
from hsa_adapters.virtual_kfd import links, tree
from tests.library.tables.from_c import INCLUDE, constants, values
from tests.library.virtual_kfd import kfd_structures

DRIVER = Path(hsa_adapters.virtual_kfd.__file__).parent / "driver"
HEADER = Path(os.environ.get("HSA_KFD_HEADER", INCLUDE / "linux/kfd_ioctl.h"))

if not HEADER.exists():
    pytest.skip("needs linux/kfd_ioctl.h", allow_module_level=True)

TEXT = HEADER.read_text()
IOCTLS = dict(re.findall(r"#define AMDKFD_IOC_(\w+)\s*\\?\s*AMDKFD_IO\w*\(\s*(0x\w+)", TEXT))
#: Those of the header that the imitation calls otherwise, or does not have.
OTHERWISE = {
    f"DBG_{name}_DEPRECATED" for name in ("REGISTER", "UNREGISTER", "ADDRESS_WATCH", "WAVE_CONTROL")
}
NUMBERS = {
    "QUEUE_COMPUTE": "KFD_IOC_QUEUE_TYPE_COMPUTE",
    "QUEUE_SDMA": "KFD_IOC_QUEUE_TYPE_SDMA",
    "QUEUE_COMPUTE_AQL": "KFD_IOC_QUEUE_TYPE_COMPUTE_AQL",
    "QUEUE_SDMA_XGMI": "KFD_IOC_QUEUE_TYPE_SDMA_XGMI",
    "QUEUE_SDMA_BY_ENGINE": "KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID",
    "EVENT_SIGNAL": "KFD_IOC_EVENT_SIGNAL",
    "EVENT_HW_EXCEPTION": "KFD_IOC_EVENT_HW_EXCEPTION",
    "EVENT_DEBUG": "KFD_IOC_EVENT_DEBUG_EVENT",
    "EVENT_MEMORY": "KFD_IOC_EVENT_MEMORY",
    "SIGNAL_EVENTS": "KFD_SIGNAL_EVENT_LIMIT",
    "WAIT_COMPLETE": "KFD_IOC_WAIT_RESULT_COMPLETE",
    "WAIT_TIMEOUT": "KFD_IOC_WAIT_RESULT_TIMEOUT",
    "WAIT_FAIL": "KFD_IOC_WAIT_RESULT_FAIL",
    "MEMORY_VRAM": "KFD_IOC_ALLOC_MEM_FLAGS_VRAM",
    "MEMORY_GTT": "KFD_IOC_ALLOC_MEM_FLAGS_GTT",
    "MEMORY_USERPTR": "KFD_IOC_ALLOC_MEM_FLAGS_USERPTR",
    "MEMORY_DOORBELL": "KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL",
    "MEMORY_MMIO": "KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP",
    "MEMORY_PUBLIC": "KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC",
    "MEMORY_WRITABLE": "KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE",
    "SVM_SET": "KFD_IOCTL_SVM_OP_SET_ATTR",
    "SVM_GET": "KFD_IOCTL_SVM_OP_GET_ATTR",
    "SVM_PREFERRED_LOCATION": "KFD_IOCTL_SVM_ATTR_PREFERRED_LOC",
    "SVM_PREFETCH_LOCATION": "KFD_IOCTL_SVM_ATTR_PREFETCH_LOC",
    "SVM_ACCESS": "KFD_IOCTL_SVM_ATTR_ACCESS",
    "SVM_ACCESS_IN_PLACE": "KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE",
    "SVM_NO_ACCESS": "KFD_IOCTL_SVM_ATTR_NO_ACCESS",
    "SVM_SET_FLAGS": "KFD_IOCTL_SVM_ATTR_SET_FLAGS",
    "SVM_CLEAR_FLAGS": "KFD_IOCTL_SVM_ATTR_CLR_FLAGS",
    "SVM_GRANULARITY": "KFD_IOCTL_SVM_ATTR_GRANULARITY",
    "SVM_FLAG_HOST_ACCESS": "KFD_IOCTL_SVM_FLAG_HOST_ACCESS",
    "SVM_FLAG_COHERENT": "KFD_IOCTL_SVM_FLAG_COHERENT",
    "SVM_UNDEFINED": "KFD_IOCTL_SVM_LOCATION_UNDEFINED",
    "RUNTIME_ENABLE_BIT": "KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK",
}
EXCEPTIONS = {
    "WAVE_ABORT": "EC_QUEUE_WAVE_ABORT",
    "WAVE_TRAP": "EC_QUEUE_WAVE_TRAP",
    "ILLEGAL_INSTRUCTION": "EC_QUEUE_WAVE_ILLEGAL_INSTRUCTION",
    "DISPATCH_DIMENSIONS": "EC_QUEUE_PACKET_DISPATCH_DIM_INVALID",
    "DISPATCH_GROUP_SEGMENT": "EC_QUEUE_PACKET_DISPATCH_GROUP_SEGMENT_SIZE_INVALID",
    "DISPATCH_CODE": "EC_QUEUE_PACKET_DISPATCH_CODE_INVALID",
    "PACKET_UNSUPPORTED": "EC_QUEUE_PACKET_UNSUPPORTED",
    "DISPATCH_WORK_GROUP": "EC_QUEUE_PACKET_DISPATCH_WORK_GROUP_SIZE_INVALID",
    "DISPATCH_REGISTERS": "EC_QUEUE_PACKET_DISPATCH_REGISTER_INVALID",
    "VENDOR_UNSUPPORTED": "EC_QUEUE_PACKET_VENDOR_UNSUPPORTED",
}
#: For each structure, what the header calls it, and its members here and there.
STRUCTURES = {
    "version_args": ("kfd_ioctl_get_version_args", "major minor", "major_version minor_version"),
    "create_queue_args": (
        "kfd_ioctl_create_queue_args",
        "ring write_pointer read_pointer doorbell_offset ring_size gpu_id type percentage priority"
        " id eop eop_size save_area save_area_size control_stack_size",
        "ring_base_address write_pointer_address read_pointer_address doorbell_offset ring_size"
        " gpu_id queue_type queue_percentage queue_priority queue_id eop_buffer_address"
        " eop_buffer_size ctx_save_restore_address ctx_save_restore_size ctl_stack_size",
    ),
    "destroy_queue_args": ("kfd_ioctl_destroy_queue_args", "id pad", "queue_id pad"),
    "gws_args": (
        "kfd_ioctl_alloc_queue_gws_args",
        "queue count first pad",
        "queue_id num_gws first_gws pad",
    ),
    "update_queue_args": (
        "kfd_ioctl_update_queue_args",
        "ring id ring_size percentage priority",
        "ring_base_address queue_id ring_size queue_percentage queue_priority",
    ),
    "save_area_header": (
        "kfd_context_save_area_header",
        "wave_state debug error_address error_event",
        "wave_state debug_offset err_payload_addr err_event_id",
    ),
    "cu_mask_args": (
        "kfd_ioctl_set_cu_mask_args",
        "id bits mask",
        "queue_id num_cu_mask cu_mask_ptr",
    ),
    "clock_args": (
        "kfd_ioctl_get_clock_counters_args",
        "gpu cpu system frequency gpu_id pad",
        "gpu_clock_counter cpu_clock_counter system_clock_counter system_clock_freq gpu_id pad",
    ),
    "aperture": (
        "kfd_process_device_apertures",
        "lds_base lds_limit scratch_base scratch_limit gpuvm_base gpuvm_limit gpu_id pad",
        "lds_base lds_limit scratch_base scratch_limit gpuvm_base gpuvm_limit gpu_id pad",
    ),
    "apertures_args": (
        "kfd_ioctl_get_process_apertures_new_args",
        "array count pad",
        "kfd_process_device_apertures_ptr num_of_nodes pad",
    ),
    "acquire_vm_args": ("kfd_ioctl_acquire_vm_args", "render gpu_id", "drm_fd gpu_id"),
    "memory_policy_args": (
        "kfd_ioctl_set_memory_policy_args",
        "base size gpu_id default_policy alternate_policy",
        "alternate_aperture_base alternate_aperture_size gpu_id default_policy alternate_policy",
    ),
    "create_event_args": (
        "kfd_ioctl_create_event_args",
        "page_offset trigger_data type auto_reset node id slot",
        "event_page_offset event_trigger_data event_type auto_reset node_id event_id"
        " event_slot_index",
    ),
    "event_args": ("kfd_ioctl_destroy_event_args", "id pad", "event_id pad"),
    "memory_fault": (
        "kfd_hsa_memory_exception_data",
        "not_present read_only no_execute imprecise address gpu_id error",
        "failure.NotPresent failure.ReadOnly failure.NoExecute failure.imprecise va gpu_id"
        " ErrorType",
    ),
    "hw_exception": (
        "kfd_hsa_hw_exception_data",
        "reset_type reset_cause memory_lost gpu_id",
        "reset_type reset_cause memory_lost gpu_id",
    ),
    "event_data": (
        "kfd_event_data",
        "fault exception extension id pad",
        "memory_exception_data hw_exception_data kfd_event_data_ext event_id pad",
    ),
    "wait_args": (
        "kfd_ioctl_wait_events_args",
        "events count all timeout result",
        "events_ptr num_events wait_for_all timeout wait_result",
    ),
    "alloc_args": (
        "kfd_ioctl_alloc_memory_of_gpu_args",
        "address size handle mmap_offset gpu_id flags",
        "va_addr size handle mmap_offset gpu_id flags",
    ),
    "free_args": ("kfd_ioctl_free_memory_of_gpu_args", "handle", "handle"),
    "available_args": (
        "kfd_ioctl_get_available_memory_args",
        "available gpu_id pad",
        "available gpu_id pad",
    ),
    "map_args": (
        "kfd_ioctl_map_memory_to_gpu_args",
        "handle gpu_ids count done",
        "handle device_ids_array_ptr n_devices n_success",
    ),
    "dmabuf_info_args": (
        "kfd_ioctl_get_dmabuf_info_args",
        "size metadata metadata_size gpu_id flags descriptor",
        "size metadata_ptr metadata_size gpu_id flags dmabuf_fd",
    ),
    "import_args": (
        "kfd_ioctl_import_dmabuf_args",
        "address handle gpu_id descriptor",
        "va_addr handle gpu_id dmabuf_fd",
    ),
    "export_args": (
        "kfd_ioctl_export_dmabuf_args",
        "handle flags descriptor",
        "handle flags dmabuf_fd",
    ),
    "ipc_import_args": (
        "kfd_ioctl_ipc_import_handle_args",
        "handle address mmap_offset share gpu_id flags",
        "handle va_addr mmap_offset share_handle gpu_id flags",
    ),
    "ipc_export_args": (
        "kfd_ioctl_ipc_export_handle_args",
        "handle share gpu_id flags",
        "handle share_handle gpu_id flags",
    ),
    "svm_args": (
        "kfd_ioctl_svm_args",
        "start size operation count attributes[0]",
        "start_addr size op nattr attrs[0]",
    ),
    "svm_attribute": ("kfd_ioctl_svm_attribute", "type value", "type value"),
    "scratch_args": (
        "kfd_ioctl_set_scratch_backing_va_args",
        "address gpu_id pad",
        "va_addr gpu_id pad",
    ),
    "trap_handler_args": (
        "kfd_ioctl_set_trap_handler_args",
        "code memory gpu_id pad",
        "tba_addr tma_addr gpu_id pad",
    ),
    "xnack_args": ("kfd_ioctl_set_xnack_mode_args", "enabled", "xnack_enabled"),
    "runtime_args": (
        "kfd_ioctl_runtime_enable_args",
        "debug mode capabilities",
        "r_debug mode_mask capabilities_mask",
    ),
    "tile_args": (
        "kfd_ioctl_get_tile_config_args",
        "tiles macro_tiles tile_count macro_tile_count gpu_id address_config banks ranks",
        "tile_config_ptr macro_tile_config_ptr num_tile_configs num_macro_tile_configs gpu_id"
        " gb_addr_config num_banks num_ranks",
    ),
}


def has(name: str) -> bool:
    return bool(re.search(rf"\b{name}\b", TEXT))


def needs(name: str) -> None:
    """Skip the test where the header has not got what it is about."""
    if not has(name):
        pytest.skip(f"needs a newer linux/kfd_ioctl.h: {name}")


@cache
def of_header() -> Mapping[str, int]:
    """Return what the header says of all that it has of these numbers and structures."""
    names = [n for n in (*NUMBERS.values(), *EXCEPTIONS.values()) if has(n)]
    for structure, _, there in STRUCTURES.values():
        if has(structure):
            names += [f(structure, m) for m in there.split() for f in (place, size)]
    where = str(Path(__file__).parent / "include")
    return dict(zip(names, constants([str(HEADER)], names, "-idirafter", where), strict=True))


@cache
def of_driver() -> Mapping[str, int]:
    """Return what the imitation's own headers say of them."""
    names = [*NUMBERS, *EXCEPTIONS, *IOCTLS.keys() - OTHERWISE]
    for structure, (_, here, _) in STRUCTURES.items():
        names += [f(structure, m) for m in here.split() for f in (place, size)]
    headers = [str(DRIVER / name) for name in ("base/kfd.h", "devices/queue.h")]
    return dict(zip(names, constants(headers, names, f"-I{DRIVER}"), strict=True))


def place(structure: str, member: str) -> str:
    return f"offsetof(struct {structure}, {member})"


def size(structure: str, member: str) -> str:
    return f"sizeof(((struct {structure} *)0)->{member})"


def test_ioctls_have_the_numbers_of_the_header() -> None:
    numbers = {name: int(number, 16) for name, number in IOCTLS.items() if name not in OTHERWISE}
    assert len(numbers) > 25
    assert numbers == {name: of_driver()[name] for name in numbers}
    ours = vars(kfd_structures)
    assert {name: ours.get(name, number) for name, number in numbers.items()} == numbers


@pytest.mark.parametrize(("ours", "theirs"), [*NUMBERS.items(), *EXCEPTIONS.items()])
def test_numbers_are_those_of_the_header(ours: str, theirs: str) -> None:
    needs(theirs)
    bits = (1 << 32) - 1  # some are of no sign here, and of one there
    assert of_header()[theirs] & bits == of_driver()[ours] & bits


@pytest.mark.parametrize("ours", STRUCTURES)
def test_structures_are_those_of_the_header(ours: str) -> None:
    theirs, here, there = STRUCTURES[ours]
    needs(theirs)
    for mine, other in zip(here.split(), there.split(), strict=True):
        assert of_header()[place(theirs, other)] == of_driver()[place(ours, mine)], mine
        if mine != "debug":  # an array of two
            assert of_header()[size(theirs, other)] == of_driver()[size(ours, mine)], mine


def test_every_structure_and_number_of_the_driver_is_compared() -> None:
    text = (DRIVER / "base/kfd.h").read_text()
    structures = re.findall(r"^struct (\w+) \{", text, re.MULTILINE)
    assert {*STRUCTURES} == {*structures}
    enums = re.findall(r"^enum (\w+) \{(.*?)\}", text, re.MULTILINE | re.DOTALL)
    numbers = {
        name
        for enum, body in enums
        if enum != "kfd_ioctl"
        for name in re.findall(r"\b([A-Z]\w+)\b", body)
    }
    assert numbers == {*NUMBERS} - {"SIGNAL_EVENTS", "SVM_UNDEFINED", "RUNTIME_ENABLE_BIT"}


def test_the_topology_has_the_numbers_of_its_header() -> None:
    expected = {
        "HSA_MEM_HEAP_TYPE_SYSTEM": tree._SYSTEM,
        "HSA_MEM_HEAP_TYPE_FB_PUBLIC": tree._PUBLIC,
        "HSA_MEM_HEAP_TYPE_FB_PRIVATE": tree._PRIVATE,
        "HSA_CAP_DOORBELL_TYPE_2_0 << HSA_CAP_DOORBELL_TYPE_TOTALBITS_SHIFT": (
            tree._DOORBELLS_OF_64_BITS
        ),
        "HSA_CAP_WATCH_POINTS_SUPPORTED | 2 << HSA_CAP_WATCH_POINTS_TOTALBITS_SHIFT": (
            tree._WATCH_POINTS
        ),
        "HSA_CAP_SVMAPI_SUPPORTED": tree._SVM,
        "HSA_CAP_FLAGS_COHERENTHOSTACCESS": tree._COHERENT_HOST_ACCESS,
        "HSA_CAP_ASIC_REVISION_SHIFT": tree._REVISION,
        "HSA_IOLINK_TYPE_QPI_1_1": links._QPI,
        "HSA_IOLINK_TYPE_PCIEXPRESS": links._PCIE,
        "HSA_IOLINK_TYPE_XGMI": links._XGMI,
        "HSA_IOLINK_FLAGS_ENABLED": links._ENABLED,
        "HSA_IOLINK_FLAGS_NON_COHERENT": links._NON_COHERENT,
        "HSA_IOLINK_FLAGS_NO_ATOMICS_32_BIT": links._NO_ATOMICS_32_BIT,
        "HSA_IOLINK_FLAGS_NO_ATOMICS_64_BIT": links._NO_ATOMICS_64_BIT,
        "HSA_CACHE_TYPE_DATA | HSA_CACHE_TYPE_HSACU": tree._DATA_OF_DEVICE,
    }
    assert expected == values(["linux/kfd_sysfs.h"], expected)


def test_debugging_has_the_capabilities_of_newer_headers() -> None:
    header = INCLUDE / "linux/kfd_sysfs.h"
    if not header.exists() or "HSA_CAP_TRAP_DEBUG_SUPPORT" not in header.read_text():
        pytest.skip("needs a newer linux/kfd_sysfs.h")
    expected = {
        "HSA_CAP_TRAP_DEBUG_SUPPORT | HSA_CAP_TRAP_DEBUG_WAVE_LAUNCH_TRAP_OVERRIDE_SUPPORTED"
        " | HSA_CAP_TRAP_DEBUG_WAVE_LAUNCH_MODE_SUPPORTED": tree._DEBUG_TRAP,
        "HSA_CAP_TRAP_DEBUG_FIRMWARE_SUPPORTED": tree._DEBUG_FIRMWARE,
    }
    assert expected == values(["linux/kfd_sysfs.h"], expected)
