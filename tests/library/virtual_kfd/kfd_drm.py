"""The functions of libdrm_amdgpu, as amdgpu.h declares them. For a preloaded process."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, Kfd, libc

FLINK, KMS, DMABUF, KMS_NO_IMPORT = range(4)
MAP, UNMAP, CLEAR, REPLACE = range(1, 5)
READABLE = 2

Pointer = ctypes.c_void_p

ImportResult = k.structure("ImportResult", buffer=Pointer, size=k.u64)
Metadata = k.structure("Metadata", flags=k.u64, tiling=k.u64, size=k.u32, words=k.u32 * 64)
BufferInfo = k.structure(
    "BufferInfo", size=k.u64, alignment=k.u64, heap=k.u32, flags=k.u64, metadata=Metadata
)
GpuInfo = k.structure("GpuInfo", ids=k.u32 * 4, flags=k.u64, clocks=k.u64 * 2, rest=k.u32 * 64)
GemMmap = k.structure("GemMmap", handle=k.u32, pad=k.u32, more=k.u64)

_ARGUMENTS = {
    "amdgpu_device_initialize": [ctypes.c_int, Pointer, Pointer, Pointer],
    "amdgpu_device_deinitialize": [Pointer],
    "amdgpu_device_get_fd": [Pointer],
    "amdgpu_get_marketing_name": [Pointer],
    "amdgpu_query_gpu_info": [Pointer, Pointer],
    "amdgpu_bo_import": [Pointer, ctypes.c_int, k.u32, Pointer],
    "amdgpu_bo_export": [Pointer, ctypes.c_int, Pointer],
    "amdgpu_bo_free": [Pointer],
    "amdgpu_bo_cpu_map": [Pointer, Pointer],
    "amdgpu_bo_va_op": [Pointer, k.u64, k.u64, k.u64, k.u64, k.u32],
    "amdgpu_bo_query_info": [Pointer, Pointer],
    "amdgpu_bo_set_metadata": [Pointer, Pointer],
    "drmCommandWriteRead": [ctypes.c_int, ctypes.c_ulong, Pointer, ctypes.c_ulong],
}


def _function(name: str) -> Any:
    # Looked up late: the test process, without the library, imports this, too.
    function = getattr(libc, name)
    function.argtypes = _ARGUMENTS[name]
    return function


def call(name: str, *arguments: object) -> None:
    """Call a function.

    Raises:
        OSError: it failed.

    """
    result = _function(name)(*arguments)
    if result:
        raise OSError(-result, os.strerror(-result))


class Device:
    """A GPU as libdrm has it."""

    def __init__(self, kfd: Kfd, gpu: int = GPU) -> None:
        self.pointer = Pointer()
        self.version = (k.u32(), k.u32())
        call(
            "amdgpu_device_initialize",
            kfd.render[gpu],
            *map(ctypes.byref, (*self.version, self.pointer)),
        )

    def descriptor(self) -> int:
        """Return libdrm's own descriptor of the render node."""
        return _function("amdgpu_device_get_fd")(self.pointer)

    def name(self) -> str:
        """Return the name that is on the box."""
        function = _function("amdgpu_get_marketing_name")
        function.restype = ctypes.c_char_p
        return function(self.pointer).decode()

    def info(self) -> Any:
        """Return what the driver says of the GPU."""
        info = GpuInfo()
        call("amdgpu_query_gpu_info", self.pointer, ctypes.byref(info))
        return info

    def load(self, handle: int, kind: int = DMABUF) -> DrmBuffer:
        """Import a buffer."""
        result = ImportResult()
        call("amdgpu_bo_import", self.pointer, kind, handle, ctypes.byref(result))
        return DrmBuffer(result.buffer, result.size)


class DrmBuffer:
    """A buffer as libdrm has it."""

    def __init__(self, pointer: int, size: int) -> None:
        self.pointer = pointer
        self.size = size

    def export(self, kind: int) -> int:
        """Return a handle of some kind."""
        handle = k.u32()
        call("amdgpu_bo_export", self.pointer, kind, ctypes.byref(handle))
        return handle.value

    def map(self, address: int, size: int, offset: int = 0, flags: int = 0) -> None:
        """Let the GPU reach it."""
        call("amdgpu_bo_va_op", self.pointer, offset, size, address, flags, MAP)

    def unmap(self, address: int, size: int = 0) -> None:
        """Let the GPU reach it no more."""
        call("amdgpu_bo_va_op", self.pointer, 0, size, address, 0, UNMAP)

    def operate(self, operation: int, address: int, size: int) -> None:
        """Do something else with addresses."""
        call("amdgpu_bo_va_op", self.pointer, 0, size, address, 0, operation)

    def cpu_map(self) -> int:
        """Return where the CPU sees it."""
        address = Pointer()
        call("amdgpu_bo_cpu_map", self.pointer, ctypes.byref(address))
        return address.value or 0

    def info(self) -> Any:
        """Return what libdrm knows about it."""
        info = BufferInfo()
        call("amdgpu_bo_query_info", self.pointer, ctypes.byref(info))
        return info

    def describe(self, metadata: Any) -> None:
        """Set its metadata."""
        call("amdgpu_bo_set_metadata", self.pointer, ctypes.byref(metadata))

    def free(self) -> None:
        """Give it back."""
        call("amdgpu_bo_free", self.pointer)
