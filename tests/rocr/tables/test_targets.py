"""The suite's table of targets, held against the assembler of LLVM."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hsa_conformance.topics.core.isas.targets import TARGETS
from hsa_reference.amdgpu.target import PROCESSORS
from tests.rocr.tables.assembling import assembled, descriptor, needs_assembler

pytestmark = needs_assembler

#: Bits of the flags of a code object that say that a feature may be on or off.
_EITHER = {"sramecc": 0x400, "xnack": 0x100}


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_has_the_features_of_llvm(name: str, tmp_path: Path) -> None:
    flags = assembled("", name, tmp_path).header["e_flags"]
    assert TARGETS[name].features == tuple(f for f, bit in _EITHER.items() if flags & bit)


@pytest.mark.parametrize("name", TARGETS)
def test_code_for_a_target_has_the_wavefronts_of_llvm(name: str, tmp_path: Path) -> None:
    assembled("", name, tmp_path)
    if 32 in TARGETS[name].wavefronts:
        descriptor(name, tmp_path, wavefront_size32=1)
    else:
        with pytest.raises(AssertionError, match=re.escape("directive requires gfx10+")):
            descriptor(name, tmp_path, wavefront_size32=1)


def test_every_processor_that_code_is_read_for_is_a_target() -> None:
    assert {*TARGETS} >= {*PROCESSORS.values()}
