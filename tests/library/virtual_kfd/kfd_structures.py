"""Numbers and structures of the driver's interface, as linux/kfd_ioctl.h has them."""

from __future__ import annotations

import ctypes
from typing import Any

u8, u16, u32, u64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
i32, i64 = ctypes.c_int32, ctypes.c_int64

GET_VERSION = 0x01
CREATE_QUEUE = 0x02
DESTROY_QUEUE = 0x03
SET_MEMORY_POLICY = 0x04
GET_CLOCK_COUNTERS = 0x05
UPDATE_QUEUE = 0x07
CREATE_EVENT = 0x08
DESTROY_EVENT = 0x09
SET_EVENT = 0x0A
RESET_EVENT = 0x0B
WAIT_EVENTS = 0x0C
SET_TRAP_HANDLER = 0x13
GET_PROCESS_APERTURES_NEW = 0x14
ACQUIRE_VM = 0x15
ALLOC_MEMORY_OF_GPU = 0x16
FREE_MEMORY_OF_GPU = 0x17
MAP_MEMORY_TO_GPU = 0x18
UNMAP_MEMORY_FROM_GPU = 0x19
SET_CU_MASK = 0x1A
GET_DMABUF_INFO = 0x1C
IMPORT_DMABUF = 0x1D
ALLOC_QUEUE_GWS = 0x1E
SMI_EVENTS = 0x1F
SVM = 0x20
SET_XNACK_MODE = 0x21
CRIU_OP = 0x22
AVAILABLE_MEMORY = 0x23
EXPORT_DMABUF = 0x24
RUNTIME_ENABLE = 0x25
DBG_TRAP = 0x26
IPC_IMPORT_HANDLE = 0x80
IPC_EXPORT_HANDLE = 0x81
CROSS_MEMORY_COPY = 0x83

VRAM, GTT, USERPTR, DOORBELL, MMIO = (1 << bit for bit in range(5))
WRITABLE = 1 << 31
PUBLIC = 1 << 29

EVENT_SIGNAL, EVENT_HW_EXCEPTION, EVENT_DEBUG, EVENT_MEMORY = 0, 3, 5, 8
COMPLETE, TIMEOUT, FAIL = range(3)
FOREVER = 0xFFFFFFFF

COMPUTE, SDMA, AQL, SDMA_XGMI, SDMA_BY_ENGINE = range(5)

SVM_SET, SVM_GET = 0, 1
(
    PREFERRED,
    PREFETCH,
    ACCESS,
    IN_PLACE,
    NO_ACCESS,
    SET_FLAGS,
    CLEAR_FLAGS,
    GRANULARITY,
) = range(8)
UNDEFINED = 0xFFFFFFFF


def structure(name: str, **fields: Any) -> Any:
    """Return a structure with members in this order."""
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


Version = structure("Version", major=u32, minor=u32)
CreateQueue = structure(
    "CreateQueue",
    ring=u64,
    write_pointer=u64,
    read_pointer=u64,
    doorbell_offset=u64,
    ring_size=u32,
    gpu_id=u32,
    type=u32,
    percentage=u32,
    priority=u32,
    id=u32,
    eop=u64,
    eop_size=u64,
    save_area=u64,
    save_area_size=u32,
    control_stack_size=u32,
    sdma_engine=u32,
    pad=u32,
)
UpdateQueue = structure(
    "UpdateQueue", ring=u64, id=u32, ring_size=u32, percentage=u32, priority=u32
)
CuMask = structure("CuMask", id=u32, bits=u32, mask=u64)
Gws = structure("Gws", queue=u32, count=u32, first=u32, pad=u32)
Id = structure("Id", id=u32, pad=u32)
MemoryPolicy = structure(
    "MemoryPolicy", base=u64, size=u64, gpu_id=u32, default=u32, alternate=u32, flags=u32
)
Clocks = structure("Clocks", gpu=u64, cpu=u64, system=u64, frequency=u64, gpu_id=u32, pad=u32)
Aperture = structure(
    "Aperture",
    lds_base=u64,
    lds_limit=u64,
    scratch_base=u64,
    scratch_limit=u64,
    gpuvm_base=u64,
    gpuvm_limit=u64,
    gpu_id=u32,
    pad=u32,
)
Apertures = structure("Apertures", array=u64, count=u32, pad=u32)
AcquireVm = structure("AcquireVm", render=u32, gpu_id=u32)
TrapHandler = structure("TrapHandler", code=u64, memory=u64, gpu_id=u32, pad=u32)
Allocate = structure(
    "Allocate", address=u64, size=u64, handle=u64, mmap_offset=u64, gpu_id=u32, flags=u32
)
Free = structure("Free", handle=u64)
Available = structure("Available", available=u64, gpu_id=u32, pad=u32)
Map = structure("Map", handle=u64, gpu_ids=u64, count=u32, done=u32)
DmabufInfo = structure(
    "DmabufInfo", size=u64, metadata=u64, metadata_size=u32, gpu_id=u32, flags=u32, descriptor=u32
)
ImportDmabuf = structure("ImportDmabuf", address=u64, handle=u64, gpu_id=u32, descriptor=u32)
ExportDmabuf = structure("ExportDmabuf", handle=u64, flags=u32, descriptor=u32)
IpcExport = structure("IpcExport", handle=u64, share=u32 * 4, gpu_id=u32, flags=u32)
IpcImport = structure(
    "IpcImport", handle=u64, address=u64, mmap_offset=u64, share=u32 * 4, gpu_id=u32, flags=u32
)
CreateEvent = structure(
    "CreateEvent",
    page_offset=u64,
    trigger_data=u32,
    type=u32,
    auto_reset=u32,
    node=u32,
    id=u32,
    slot=u32,
)
MemoryFault = structure(
    "MemoryFault",
    not_present=u32,
    read_only=u32,
    no_execute=u32,
    imprecise=u32,
    address=u64,
    gpu_id=u32,
    error=u32,
)
HwException = structure("HwException", reset_type=u32, reset_cause=u32, memory_lost=u32, gpu_id=u32)


class _EventUnion(ctypes.Union):
    _fields_ = [("fault", MemoryFault), ("exception", HwException), ("last_age", u64)]


class EventData(ctypes.Structure):
    """One event to wait for."""

    _anonymous_ = ("data",)
    _fields_ = [("data", _EventUnion), ("extension", u64), ("id", u32), ("pad", u32)]


Wait = structure("Wait", events=u64, count=u32, all=u32, timeout=u32, result=u32)
SvmHead = structure("SvmHead", start=u64, size=u64, operation=u32, count=u32)
Xnack = structure("Xnack", enabled=i32)
Runtime = structure("Runtime", debug=u64, mode=u32, capabilities=u32)
