"""Which errnos the kernel gives where, for calls that are right: the usual one first.

What only a mistake of the caller brings about, such as EFAULT, is left out: a call that was right
cannot meet it. So is EINTR, which comes of signals and needs no fault. A call that is missing here
never fails, such as GET_VERSION, or the machine lacks it. Sources: the kernel's kfd_chardev.c and
what it calls, `ioctl` of its drm_ioctl.c, and the manual pages of open, mmap and pthread_create.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_OPEN: Final = ("EMFILE", "ENFILE", "ENOMEM", "EACCES")
_UNPLUGGED: Final = "ENODEV"  # all of libdrm, once the device is gone
_STUCK: Final = ("ETIME", "EIO")  # the scheduler of a GPU does not answer
_UNBOUND: Final = "ESRCH"  # the process cannot be bound to the GPU

ERRNOS: Final[Mapping[str, tuple[str, ...]]] = {
    "CREATE_QUEUE": ("ENOMEM", "EPERM", _UNBOUND, *_STUCK),
    "DESTROY_QUEUE": _STUCK,
    "SET_MEMORY_POLICY": (_UNBOUND,),
    "GET_PROCESS_APERTURES_NEW": ("ENOMEM",),
    "UPDATE_QUEUE": ("ENOMEM", *_STUCK),
    "CREATE_EVENT": ("ENOMEM", "ENOSPC"),
    "WAIT_EVENTS": ("ENOMEM",),
    "SET_SCRATCH_BACKING_VA": (_UNBOUND,),
    "SET_TRAP_HANDLER": (_UNBOUND,),
    "ACQUIRE_VM": ("ENOMEM",),
    "ALLOC_MEMORY_OF_GPU": ("ENOMEM", _UNBOUND),
    "FREE_MEMORY_OF_GPU": ("ENOMEM",),
    "MAP_MEMORY_TO_GPU": ("ENOMEM", _UNBOUND),
    "UNMAP_MEMORY_FROM_GPU": ("ENOMEM",),
    "SET_CU_MASK": ("ENOMEM", *_STUCK),
    "GET_DMABUF_INFO": ("ENOMEM",),
    "IMPORT_DMABUF": ("ENOMEM", _UNBOUND),
    "EXPORT_DMABUF": ("EMFILE", "ENFILE", "ENOMEM"),
    "ALLOC_QUEUE_GWS": ("EBUSY", "ENOMEM"),
    "SVM": ("ENOMEM",),
    "SET_XNACK_MODE": ("EBUSY",),
    "IPC_IMPORT_HANDLE": ("ENOMEM",),
    "IPC_EXPORT_HANDLE": ("ENOMEM",),
    "mmap": ("ENOMEM", "EAGAIN"),
    "open_kfd": (*_OPEN, "EAGAIN"),
    "open_render": _OPEN,
    "open_file": _OPEN,
    "read_file": ("EIO", "ENOMEM", _UNPLUGGED),
    "pthread_create": ("EAGAIN",),
    "amdgpu_device_initialize": ("ENOMEM", "EACCES", _UNPLUGGED),
    "amdgpu_bo_import": ("ENOMEM", _UNPLUGGED),
    "amdgpu_bo_export": ("EMFILE", "ENFILE", "ENOMEM", _UNPLUGGED),
    "amdgpu_bo_va_op": ("ENOMEM", _UNPLUGGED),
    "amdgpu_bo_va_op_unmap": ("ENOMEM", _UNPLUGGED),
    "amdgpu_bo_cpu_map": ("ENOMEM", _UNPLUGGED),
    "amdgpu_bo_query_info": ("ENOMEM", _UNPLUGGED),
    "amdgpu_bo_set_metadata": ("ENOMEM", _UNPLUGGED),
    "drmCommandWriteRead": (_UNPLUGGED,),
}

#: Calls that give something back: where they are refused, it is still there.
GIVING_BACK: Final = frozenset(
    {"FREE_MEMORY_OF_GPU", "UNMAP_MEMORY_FROM_GPU", "amdgpu_bo_va_op_unmap"}
)

#: Calls that do their work all the same, and say only that the device did not answer.
DONE: Final = frozenset({"DESTROY_QUEUE"})
