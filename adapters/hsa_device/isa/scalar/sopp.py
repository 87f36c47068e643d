"""MI200 ISA, 12.5 SOPP: where waves go on, wait and end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.errors import TrapError
from hsa_device.model.compilation import CompileEnd, End, Run, Section, lacking, nothing
from hsa_device.model.waves import ENDED, EXEC, M0, VCC, WAITING, Values, Waves

_DEBUGGER = 3  # llvm.debugtrap, which is nothing without a debugger
_MESSAGE = np.uint32(0xFFFFFF)  # the bits of M0 that an interrupt carries


def target(instruction: Instruction, place: int) -> int:
    """Return how far a branch goes, in bytes from the next instruction."""
    words = instruction.operands[place].number & 0xFFFF
    return 4 * (words - (words >> 15 << 16))


def _branch(instruction: Instruction) -> End:
    distance = target(instruction, 0)

    def end(waves: Waves, following: int) -> None:
        waves.pc[waves.chosen] = following + distance

    return end


def _branch_if(condition: Callable[[Waves], Values]) -> CompileEnd:
    def make(instruction: Instruction) -> End:
        distance = target(instruction, 0)

        def end(waves: Waves, following: int) -> None:
            there, here = np.uint64(following + distance), np.uint64(following)
            waves.pc[waves.chosen] = np.where(condition(waves), there, here)

        return end

    return make


def _ends(state: int) -> CompileEnd:
    def make(_: Instruction) -> End:
        def end(waves: Waves, following: int) -> None:
            waves.state[waves.chosen] = state
            waves.pc[waves.chosen] = following

        return end

    return make


def _yield(_: Instruction) -> End:
    def end(waves: Waves, following: int) -> None:
        waves.pc[waves.chosen] = following

    return end


def _trap(instruction: Instruction) -> End:
    number = instruction.operands[0].number

    def end(waves: Waves, following: int) -> None:
        if number != _DEBUGGER:
            raise TrapError(number)
        waves.pc[waves.chosen] = following

    return end


def message(instruction: Instruction) -> Run:
    """S_SENDMSG: each wave interrupts the host, whatever its EXEC says."""
    if instruction.operands[0].text != "sendmsg(MSG_INTERRUPT)":
        raise lacking(instruction, "such messages")

    def run(waves: Waves) -> None:
        if waves.interrupt is None:
            raise lacking(instruction, "interrupts where no host waits for them")
        for number in (waves.word(M0) & _MESSAGE).tolist():
            waves.interrupt(number)

    return run


_ENDS: Mapping[str, CompileEnd] = {
    "s_branch": _branch,
    "s_cbranch_scc0": _branch_if(lambda w: ~w.scc[w.chosen]),
    "s_cbranch_scc1": _branch_if(lambda w: w.scc[w.chosen]),
    "s_cbranch_vccz": _branch_if(lambda w: w.mask(VCC) == 0),
    "s_cbranch_vccnz": _branch_if(lambda w: w.mask(VCC) != 0),
    "s_cbranch_execz": _branch_if(lambda w: w.mask(EXEC) == 0),
    "s_cbranch_execnz": _branch_if(lambda w: w.mask(EXEC) != 0),
    "s_endpgm": _ends(ENDED),
    "s_barrier": _ends(WAITING),
    "s_sleep": _yield,
    "s_trap": _trap,
}
#: What is done at once here has nothing to wait for, and priorities change no result.
_IDLE = (
    *("s_nop", "s_waitcnt", "s_setprio", "s_icache_inv", "s_inst_prefetch", "s_code_end"),
    *("s_ttracedata", "s_incperflevel", "s_decperflevel", "s_waitcnt_depctr", "s_clause"),
)

SECTION = Section("SOPP", {**dict.fromkeys(_IDLE, nothing), "s_sendmsg": message}, _ENDS)
