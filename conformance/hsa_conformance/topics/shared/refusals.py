"""The driver's calls that ask for a resource, and the error where there is none left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REFUSED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "memory": tuple(
        (call, "ENOMEM")
        for call in (
            *("ALLOC_MEMORY_OF_GPU", "MAP_MEMORY_TO_GPU", "mmap", "SVM"),
            *("CREATE_EVENT", "ACQUIRE_VM", "IMPORT_DMABUF", "amdgpu_device_initialize"),
            *("amdgpu_bo_import", "amdgpu_bo_va_op", "amdgpu_bo_cpu_map"),
        )
    ),
    "descriptors": (("EXPORT_DMABUF", "EMFILE"), ("amdgpu_bo_export", "EMFILE")),
}
