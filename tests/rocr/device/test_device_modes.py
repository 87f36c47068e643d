"""Kernels whose descriptors ask for a MODE without IEEE or DX10_CLAMP, and those that change it."""

from __future__ import annotations

import numpy as np
import pytest

from hsa_device import NotExecutedError, read_code_object
from tests.rocr.device.device_kernels import (
    PRELUDE,
    LoadedKernels,
    compile_kernels,
    lacking,
    pointers,
)
from tests.rocr.device.device_waves import execute, give, new_waves, take

_SOURCE = (
    PRELUDE
    + """
KERNEL least(GLOBAL u32 *found, GLOBAL const u32 *given)
{
    u32 smaller, clamped;

    asm volatile("v_min_f32 %0, %1, %2" : "=v"(smaller) : "v"(given[ITEM]), "v"(given[64 + ITEM]));
    asm volatile("v_max_f32 %0, %1, %1 clamp" : "=v"(clamped) : "v"(given[ITEM]));
    found[ITEM] = smaller;
    found[64 + ITEM] = clamped;
}
KERNEL sum(GLOBAL u32 *found, GLOBAL const u32 *given)
{
    asm volatile("v_add_f32 %0, %1, %2" : "=v"(found[ITEM])
                 : "v"(given[ITEM]), "v"(given[64 + ITEM]));
}
"""
)
_SIGNALLING, _QUIET, _OTHER, _ONE = 0x7FA00001, 0x7FE00001, 0x7FC00002, 0x3F800000
_FIRST_WORD, _CLAMP, _IEEE = 48, 1 << 21, 1 << 23  # of a kernel descriptor


@pytest.fixture(scope="module", params=["gfx90a", "gfx1100"])
def content(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    if lacking(request.param):
        pytest.skip(lacking(request.param))
    folder = tmp_path_factory.mktemp("modes")
    return compile_kernels(_SOURCE, folder, request.param).read_bytes()


def without(content: bytes, name: str, bits: int) -> bytes:
    """Return a code object in which a kernel's descriptor lacks these bits."""
    code = read_code_object(content)
    address = code.kernels[name]
    segment = next(s for s in code.segments if 0 <= address - s.address < len(s.content))
    descriptor = segment.content[address - segment.address :][:64]
    word = int.from_bytes(descriptor[_FIRST_WORD:][:4], "little")
    assert word & bits == bits
    changed = (word & ~bits).to_bytes(4, "little")
    assert content.count(descriptor) == 1
    return content.replace(
        descriptor, descriptor[:_FIRST_WORD] + changed + descriptor[_FIRST_WORD + 4 :]
    )


@pytest.mark.parametrize(
    ("bits", "smaller", "clamped"),
    [
        (0, _QUIET, 0),
        (_CLAMP, _QUIET, _QUIET),
        (_IEEE, _ONE, 0),
        (_IEEE | _CLAMP, _ONE, _SIGNALLING),
    ],
    ids=["as compiled", "no clamp", "no IEEE", "neither"],
)
def test_a_kernel_begins_with_the_mode_of_its_descriptor(
    content: bytes, bits: int, smaller: int, clamped: int
) -> None:
    given, found = np.full(128, _ONE, np.uint32), np.zeros(128, np.uint32)
    given[:64:2] = _SIGNALLING
    loaded = LoadedKernels(without(content, "least", bits), [given, found])
    loaded.run("least", pointers(found, given), (64,), (64,))
    assert [smaller, _ONE] * 32 + [clamped, _ONE] * 32 == found.tolist()


def test_without_ieee_a_sum_is_executed_until_it_meets_a_signalling_nan(content: bytes) -> None:
    given, found = np.full(128, _ONE, np.uint32), np.zeros(64, np.uint32)
    given[0] = _OTHER
    loaded = LoadedKernels(without(content, "sum", _IEEE), [given, found])
    loaded.run("sum", pointers(found, given), (64,), (64,))
    assert [_OTHER] + [0x40000000] * 63 == found.tolist()
    given[5] = _SIGNALLING
    with pytest.raises(
        NotExecutedError, match=r"v_add_f32.*a signalling NaN here where MODE lacks"
    ):
        loaded.run("sum", pointers(found, given), (64,), (64,))


def test_ieee_is_cleared_and_set_on_the_way() -> None:
    waves = new_waves()
    give(waves, {"v1": _SIGNALLING, "v2": _ONE})
    found = []
    for bit in (0, 1):
        execute(waves, f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), {bit}")
        execute(waves, "v_min_f32_e32 v0, v1, v2")
        found.append(take(waves, "v0"))
    assert [[_ONE] * 64, [_QUIET] * 64] == found
