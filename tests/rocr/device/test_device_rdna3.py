"""What RDNA3 describes by itself, and what it has of MI200 in halves of registers."""

from __future__ import annotations

import time

import pytest

from hsa_device import IllegalInstructionError, NotExecutedError
from hsa_device.decoding import read_instruction
from hsa_device.isa.rdna3 import memory, moves, scalar, vector, vopd
from hsa_device.isa.rdna3.names import NAMES
from hsa_device.model.compilation import nothing
from hsa_device.targets import Family
from tests.rocr.device.device_waves import Numbers, execute, give, new_waves
from tests.rocr.device.golden_cases import Case, Machine, expected
from tests.rocr.device.test_device_golden import (
    CASES_OF_ALL_LANES,
    CDNA_CASES,
    RDNA3_CASES,
    title_of,
)


def text_of(case: Case) -> str:
    """Return an instruction as RDNA3 has it with halves of registers, "" for others."""
    read = read_instruction(case["do"], 8)
    name = NAMES.get(read.name, read.name)
    if "expect" not in case or read.encoding == "sdwa" or name not in vector.HALVES:
        return ""
    return str(case["do"]).replace(read.name, name, 1)


#: They are in tables that RDNA3 has from MI200, and LLVM knows them for no processor of RDNA3.
_OF_MI200_ALONE = {
    *("v_mad_legacy_i16", "v_mad_legacy_u16", "v_subrev_u16"),
    *(f"v_{cmp}_{name}_{t}16" for cmp in ("cmp", "cmpx") for name in "ft" for t in "iu"),
}
#: Cases of MI200 with numbers of 16 bits.
CASES = [case for case in CDNA_CASES if text_of(case)]


def test_what_rdna3_describes_by_itself_has_a_case() -> None:
    """All but a clock, and the mark behind the last instruction, which is none."""
    shown = {part.name for c in RDNA3_CASES for part in read_instruction(c["do"], 8).parts}
    sections = [each.SECTION for each in (scalar, vector, moves, vopd, memory)]
    known = {n for s in sections for n, each in s.instructions.items() if each is not nothing}
    assert {"s_sendmsg_rtn_b64", "s_code_end", *_OF_MI200_ALONE} == known - shown


def test_a_message_asks_for_the_time() -> None:
    waves = new_waves(width=32)
    found = []
    for _ in range(2):
        execute(waves, "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_REALTIME)", Family.RDNA3)
        found.append(int(waves.scalar_pairs[0, 1]))
        time.sleep(0.01)
    assert found[1] - found[0] > 10 * 100_000 / 2  # of 100 million ticks a second


def test_other_messages_that_are_answered_are_refused() -> None:
    text = "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_DOORBELL)"
    with pytest.raises(NotExecutedError, match="MSG_RTN_GET_DOORBELL"):
        execute(new_waves(), text, Family.RDNA3)


def test_the_mark_behind_the_last_instruction_is_illegal() -> None:
    with pytest.raises(IllegalInstructionError, match="s_code_end stands where"):
        execute(new_waves(), "s_code_end", Family.RDNA3)


@pytest.mark.parametrize("case", CASES, ids=title_of)
def test_numbers_of_16_bits_are_halves_of_registers(case: Case) -> None:
    """The lower half is what MI200 has there; the upper one stays."""
    text = text_of(case)
    machine = Machine(case)
    before = {name: machine.take(name) for name in case["expect"]}
    execute(machine.waves, text, Family.RDNA3)
    narrow = vector.HALVES[read_instruction(text, 8).name].results[0].width == 16
    for name, wanted in expected(case).items():
        kept = narrow and "op_sel" not in text
        assert machine.take(name) == (_kept(before[name], wanted) if kept else wanted)


@pytest.mark.parametrize("case", [c for c in CASES if c in CASES_OF_ALL_LANES], ids=title_of)
def test_lanes_that_are_not_active_keep_both_halves(case: Case) -> None:
    machine = Machine(case)
    give(machine.waves, {"exec": 0})
    before = machine.content()
    execute(machine.waves, text_of(case), Family.RDNA3)
    assert before == machine.content()


def _kept(before: Numbers, wanted: Numbers) -> Numbers:
    if isinstance(before, int) or isinstance(wanted, int):
        return wanted
    pairs = zip(before, wanted, strict=True)
    return [old & ~0xFFFF | new & 0xFFFF for old, new in pairs]
