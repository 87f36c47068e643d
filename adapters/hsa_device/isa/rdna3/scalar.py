"""RDNA3 ISA, "SOP1", "SOP2", "SOPP" and "SOPK": what MI200 lacks, or has for waves of 64 alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.errors import IllegalInstructionError
from hsa_device.isa.scalar import smem, sop1, sop2, sopp
from hsa_device.isa.scalar.operands import scalars
from hsa_device.model.compilation import Compile, Run, Section, lacking, nothing
from hsa_device.model.operations import Operation, op

_SAVE = "b32 exec_lo scc: b32 exec_lo"
#: Masks of waves of 32 work-items.
_MASKS: Mapping[str, Operation] = {
    **{f"s_{name}_saveexec_b32": op(_SAVE, sop1.saved(name)) for name in ("and", "or", "xor")},
    **{f"s_{name}_saveexec_b32": op(_SAVE, sop1.saved(name)) for name in ("nand", "nor", "xnor")},
    **{f"s_{name}_not1_saveexec_b32": op(_SAVE, sop1.saved(f"{name}n2")) for name in ("and", "or")},
    **{
        f"s_{name}_not0_saveexec_b32": op(_SAVE, sop1.saved_other(f"{name}n2"))
        for name in ("and", "or")
    },
    **{f"s_and_not{place}_wrexec_b32": op(_SAVE, sop1.written(place + 1)) for place in (0, 1)},
    "s_wqm_b32": op("b32 scc: b32", sop2.nonzero(sop1.whole_quads)),
    "s_quadmask_b32": op("b32 scc: b32", sop2.nonzero(sop1.quads)),
}
OPERATIONS: Mapping[str, Operation] = {
    **_MASKS,
    "s_pack_hl_b32_b16": op("b32: b32 b32", sop2.pack(16, 0)),
}


def _sets_mode(first: int) -> Compile:
    """S_ROUND_MODE and S_DENORM_MODE: four bits of MODE."""

    def make(instruction: Instruction) -> Run:
        mask = np.uint32(15 << first)
        bits = np.uint32((instruction.operands[0].number & 15) << first)
        return lambda w: w.set_mode(w.mode[w.chosen] & ~mask | bits)

    return make


def _message(instruction: Instruction) -> Run:
    """S_SENDMSG: that vector registers are needed no more changes nothing here."""
    if instruction.operands[0].text == "sendmsg(MSG_DEALLOC_VGPRS)":
        return nothing(instruction)
    return sopp.message(instruction)


def _answer(instruction: Instruction) -> Run:
    """S_SENDMSG_RTN_B64: the time, of all that can be asked."""
    message = instruction.operands[1].text
    if message != "sendmsg(MSG_RTN_GET_REALTIME)":
        raise lacking(instruction, f"the message {message}")
    return smem.clock(smem.TICK)(instruction)


def _illegal(instruction: Instruction) -> Run:
    """S_CODE_END, which stands behind the last instruction."""
    raise IllegalInstructionError(f"{instruction.text} stands where no instruction is")


_WAITS = ("vscnt", "vmcnt", "expcnt", "lgkmcnt")
#: What is done at once here has nothing to wait for, and hints change no result.
_IDLE = (
    *("s_delay_alu", "s_set_inst_prefetch_distance", "s_wait_idle", "s_wait_event", "s_version"),
    *(f"s_waitcnt_{what}" for what in _WAITS),
    *("s_gl1_inv", "s_dcache_inv"),
)
_OTHERS: Mapping[str, Compile] = {
    "s_round_mode": _sets_mode(0),
    "s_denorm_mode": _sets_mode(4),
    "s_sendmsg": _message,
    "s_sendmsg_rtn_b64": _answer,
    "s_code_end": _illegal,
    **dict.fromkeys(_IDLE, nothing),
}

SECTION = Section("Scalar", {**scalars(OPERATIONS), **_OTHERS}, {})
