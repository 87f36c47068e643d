"""RDNA3 ISA, "VOPD": two vector instructions at a time, of which both read before either writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.isa.rdna3.names import NAMES
from hsa_device.isa.rdna3.vector import OPERATIONS as OWN
from hsa_device.isa.rdna3.vector import picking
from hsa_device.isa.vector import vop1, vop2
from hsa_device.isa.vector.lanes import LaneOperation, prepare
from hsa_device.model.compilation import Run, Section, lacking
from hsa_device.model.operations import Operation
from hsa_device.model.waves import VCC, Waves

_MANY = {**vop1.OPERATIONS, **vop2.OPERATIONS, **OWN}
#: By the names that MI200 has.
_NAMES = (
    *("fmac_f32", "fmaak_f32", "fmamk_f32", "mul_f32", "add_f32", "sub_f32", "subrev_f32"),
    *("mul_legacy_f32", "mov_b32", "cndmask_b32", "max_f32", "min_f32"),
    *("add_u32", "lshlrev_b32", "and_b32"),
)
OPERATIONS: Mapping[str, Operation] = {
    NAMES.get(f"v_{name}", f"v_{name}").replace("v_", "v_dual_", 1): picking(_MANY[f"v_{name}"])
    for name in _NAMES
}


def _prepared(part: Instruction) -> LaneOperation:
    operation = OPERATIONS[part.name]
    if part.name == "v_dual_cndmask_b32":  # which is written without its mask
        mask = Operand(Kind.SCALAR, VCC, 1, "vcc_lo")
        return prepare(operation, replace(part, operands=(*part.operands, mask)))
    return prepare(operation, part)


def _dual(instruction: Instruction) -> Run:
    if instruction.second is None:
        raise lacking(instruction, "one half of two instructions")
    first, second = (_prepared(part) for part in instruction.parts)

    def run(waves: Waves) -> None:
        one = first.computed(waves)
        other = np.array(second.computed(waves))  # which may be the register that `one` goes to
        first.writes[0](waves, one)
        second.writes[0](waves, other)

    return run


SECTION = Section("VOPD", dict.fromkeys(OPERATIONS, _dual), {})
