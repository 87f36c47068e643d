"""Descriptors of kernels, as LLVM's `.amdhsa_kernel` writes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from hsa_conformance.code_objects import TARGETS, Kernel
from hsa_conformance.code_objects import kernels as of_suite
from hsa_conformance.code_objects.instructions import Does
from hsa_conformance.code_objects.programs import has_private_register
from hsa_device.code import descriptor as of_device
from hsa_device.code import read_descriptor
from hsa_device.targets import TARGETS as OF_DEVICE
from hsa_reference.amdgpu import kernels as of_reference
from hsa_reference.amdgpu.target import PROCESSORS, Target
from tests.rocr.tables.assembling import descriptor, needs_assembler

pytestmark = needs_assembler

USER = {
    "private_buffer": "user_sgpr_private_segment_buffer",
    "dispatch_pointer": "user_sgpr_dispatch_ptr",
    "queue_pointer": "user_sgpr_queue_ptr",
    "arguments": "user_sgpr_kernarg_segment_ptr",
    "dispatch_id": "user_sgpr_dispatch_id",
    "flat_scratch": "user_sgpr_flat_scratch_init",
    "private_size": "user_sgpr_private_segment_size",
}


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., of_device.Descriptor]:
    """Return a function that assembles a descriptor, and reads it as the device does."""

    def read(processor: str, **directives: int) -> of_device.Descriptor:
        target = OF_DEVICE[processor]
        return read_descriptor(descriptor(processor, tmp_path, **directives), target)

    return read


def test_sizes_are_where_llvm_has_them(
    read: Callable[..., of_device.Descriptor], tmp_path: Path
) -> None:
    sizes = {
        "group_segment_fixed_size": 0x1234,
        "private_segment_fixed_size": 0x23456,
        "kernarg_size": 0x345,
    }
    found = read("gfx90a", **sizes)
    assert [*sizes.values()] == [found.group, found.private, found.arguments]
    read_too = of_reference.kernel(descriptor("gfx90a", tmp_path, **sizes), {})
    assert [*sizes.values()] == [read_too.group, read_too.private, read_too.arguments]
    assert of_device.SIZE == of_reference.SIZE == of_suite.DESCRIPTOR == 64


@pytest.mark.parametrize(("name", "count"), of_device.USER_REGISTERS)
def test_registers_are_set_as_llvm_says(
    read: Callable[..., of_device.Descriptor], name: str, count: int
) -> None:
    found = read("gfx90a", **{USER[name]: 1})
    assert (frozenset([name]), count) == (found.user, found.user_count)
    assert [*USER] == [each for each, _ in of_device.USER_REGISTERS]


@pytest.mark.parametrize("axis", range(3))
def test_numbers_of_work_groups_are_set_as_llvm_says(
    read: Callable[..., of_device.Descriptor], axis: int
) -> None:
    names = [f"system_sgpr_workgroup_id_{name}" for name in "xyz"]
    found = read("gfx90a", **{name: int(n == axis) for n, name in enumerate(names)})
    assert tuple(n == axis for n in range(3)) == found.groups


@pytest.mark.parametrize("dimensions", range(3))
def test_other_settings_are_where_llvm_has_them(
    read: Callable[..., of_device.Descriptor], dimensions: int
) -> None:
    found = read("gfx90a", system_vgpr_workitem_id=dimensions)
    assert dimensions + 1 == found.item_dimensions
    assert not found.group_info
    assert not found.scratch
    assert read("gfx90a", system_sgpr_workgroup_info=1).group_info
    assert read("gfx90a", system_sgpr_private_segment_wavefront_offset=1).scratch


def test_arguments_are_preloaded_as_llvm_says(read: Callable[..., of_device.Descriptor]) -> None:
    arguments = {"user_sgpr_kernarg_segment_ptr": 1, "user_sgpr_kernarg_preload_length": 3}
    found = read("gfx90a", **arguments, user_sgpr_kernarg_preload_offset=5)
    assert (3, 5) == found.preloaded


@pytest.mark.parametrize(
    ("vectors", "first"),
    [(1, 4), (8, 4), (8, 8), (9, 12), (64, 64), (65, 4), (128, 128), (257, 256), (512, 128)],
)
def test_vector_registers_are_counted_as_llvm_does(
    read: Callable[..., of_device.Descriptor], vectors: int, first: int
) -> None:
    found = read("gfx90a", next_free_vgpr=vectors, accum_offset=first)
    assert (-(-vectors // 8) * 8, first) == (found.vector_registers, found.accumulators)


@pytest.mark.parametrize(("wave", "unit"), [(32, 8), (64, 4)])
def test_waves_of_rdna3_are_as_llvm_says(
    read: Callable[..., of_device.Descriptor], wave: int, unit: int, tmp_path: Path
) -> None:
    settings = {"wavefront_size32": int(wave == 32), "next_free_vgpr": 2 * unit + 1}
    found = read("gfx1100", **settings)
    assert (wave, 3 * unit) == (found.wave, found.vector_registers)
    assert wave == of_reference.kernel(descriptor("gfx1100", tmp_path, **settings), {}).wavefront


@pytest.mark.parametrize(
    ("name", "shift", "value"),
    [
        ("float_round_mode_32", 0, 2),
        ("float_round_mode_16_64", 2, 1),
        ("float_denorm_mode_32", 4, 3),
        ("float_denorm_mode_16_64", 6, 1),
        ("dx10_clamp", 8, 1),
        ("ieee_mode", 9, 1),
    ],
)
def test_modes_are_where_llvm_has_them(
    read: Callable[..., of_device.Descriptor], name: str, shift: int, value: int
) -> None:
    off = {"float_denorm_mode_16_64": 0, "dx10_clamp": 0, "ieee_mode": 0}
    assert value << shift == read("gfx90a", **{**off, name: value}).mode


def test_the_reference_reads_what_llvm_writes(tmp_path: Path) -> None:
    read = partial(descriptor, "gfx90a", tmp_path)
    assert 2 == of_reference.kernel(read(float_round_mode_32=0), {}).rounding
    assert 1 == of_reference.kernel(read(float_round_mode_32=3), {}).rounding
    for plain in (1, 2):
        assert of_reference.kernel(read(float_round_mode_32=plain), {}).rounding is None
    assert of_reference.kernel(read(uses_dynamic_stack=1), {}).dynamic_stack
    assert not of_reference.kernel(read(), {}).dynamic_stack


@pytest.mark.parametrize(
    ("processor", "does"),
    [
        *(("gfx1030", "nothing"), ("gfx1200", "nothing")),
        *product(
            ("gfx900", "gfx90a", "gfx942", "gfx1100"), ("nothing", "store", "wait", "private")
        ),
    ],
)
def test_descriptors_of_the_suite_are_those_of_llvm(
    does: Does, processor: str, tmp_path: Path
) -> None:
    target = TARGETS[processor]
    kernel = of_suite.doing(does, target) if does != "nothing" else Kernel("kernel", 48, 32, 16)
    ours = of_suite.descriptor(kernel, target, 0x1234)
    settings: dict[str, int] = {
        "group_segment_fixed_size": kernel.group,
        "private_segment_fixed_size": kernel.private,
        "kernarg_size": kernel.arguments,
        "system_sgpr_workgroup_id_x": 0,
    }
    if does != "nothing":
        own = has_private_register(target)
        settings["user_sgpr_kernarg_segment_ptr"] = 1
        if kernel.private and not own:
            settings["user_sgpr_private_segment_buffer"] = 1
        else:
            settings |= {"user_sgpr_dispatch_ptr": 1, "user_sgpr_queue_ptr": 1}
        if kernel.private:
            name = "enable_private_segment" if own else None
            settings[name or "system_sgpr_private_segment_wavefront_offset"] = 1
    if target.generation >= 10:
        settings |= {"memory_ordered": 0, "wavefront_size32": 1}
        settings["workgroup_processor_mode"] = 0
    else:
        settings |= {"reserve_vcc": 0}
        if processor < "gfx940":
            settings["reserve_flat_scratch"] = 0
    theirs = descriptor(processor, tmp_path, **settings)
    assert ours[:16].hex() == theirs[:16].hex()
    assert ours[24:].hex() == theirs[24:].hex()
    assert (0x1234).to_bytes(8, "little") == ours[16:24]


@pytest.mark.parametrize("processor", [*PROCESSORS.values()])
def test_processors_have_the_waves_of_llvm(processor: str, tmp_path: Path) -> None:
    """LLVM assembles for waves of 32 work-items where there are any."""
    found = of_reference.kernel(descriptor(processor, tmp_path), {}).wavefront
    assert found == Target(processor).wavefront
    if processor in TARGETS:
        assert found == of_suite.wavefront(TARGETS[processor])
    if processor in OF_DEVICE:
        assert found == OF_DEVICE[processor].waves[0]
