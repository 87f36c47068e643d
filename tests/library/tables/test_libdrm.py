"""The functions of libdrm that the imitated driver has: their numbers and structures."""

from __future__ import annotations

from pathlib import Path

import pytest

import hsa_adapters.virtual_kfd
from tests.library.tables.from_c import INCLUDE, constants, members

SOURCE = Path(hsa_adapters.virtual_kfd.__file__).parent / "driver/calls/drm.c"
HEADERS = ["libdrm/amdgpu.h", "libdrm/amdgpu_drm.h"]
OPTIONS = (f"-I{INCLUDE / 'libdrm'}",)
NUMBERS = {
    "HANDLE_FLINK": "amdgpu_bo_handle_type_gem_flink_name",
    "HANDLE_KMS": "amdgpu_bo_handle_type_kms",
    "HANDLE_DMABUF": "amdgpu_bo_handle_type_dma_buf_fd",
    "HANDLE_KMS_NO_IMPORT": "amdgpu_bo_handle_type_kms_noimport",
    "VA_MAP": "AMDGPU_VA_OP_MAP",
    "VA_UNMAP": "AMDGPU_VA_OP_UNMAP",
    "VA_CLEAR": "AMDGPU_VA_OP_CLEAR",
    "VA_REPLACE": "AMDGPU_VA_OP_REPLACE",
    "GEM_MMAP": "DRM_AMDGPU_GEM_MMAP",
    "INTEGRATED": "AMDGPU_IDS_FLAGS_FUSION",
}


def test_numbers_are_those_of_the_header() -> None:
    theirs = constants(HEADERS, [*NUMBERS.values()], *OPTIONS)
    found = constants([str(SOURCE)], [*NUMBERS], f"-I{SOURCE.parents[1]}")
    assert dict(zip(NUMBERS, theirs, strict=True)) == dict(zip(NUMBERS, found, strict=True))


@pytest.mark.parametrize(
    ("ours", "names", "theirs", "others"),
    [
        (
            "gpu_info",
            "asic chip_revision chip_external_revision family flags engine_clock memory_clock"
            " shape[0] counter_khz",
            "amdgpu_gpu_info",
            "asic_id chip_rev chip_external_rev family_id ids_flags max_engine_clk max_memory_clk"
            " num_shader_engines gpu_counter_freq",
        ),
        (
            "import_result",
            "buffer size",
            "amdgpu_bo_import_result",
            "buf_handle alloc_size",
        ),
        (
            "buffer_info",
            "size alignment heap flags metadata",
            "amdgpu_bo_info",
            "alloc_size phys_alignment preferred_heap alloc_flags metadata",
        ),
        (
            "metadata",
            "flags tiling size words",
            "amdgpu_bo_metadata",
            "flags tiling_info size_metadata umd_metadata",
        ),
    ],
)
def test_structures_are_those_of_the_header(
    ours: str, names: str, theirs: str, others: str
) -> None:
    expected = members(HEADERS, f"struct {theirs}", others.split(), *OPTIONS)
    options = (f"-I{SOURCE.parents[1]}",)
    assert expected == members([str(SOURCE)], f"struct {ours}", names.split(), *options)
