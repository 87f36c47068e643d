"""Executors that are wrong for one instruction each, and whether the tests notice.

    python -m tests.rocr.device.wrong [--count N] [--seed N] [--family RDNA3]

An executor is broken in one place by a seed: an instruction and what is wrong about it. It is
noticed if a case of the manual's pseudo-code, a golden case or a kernel of `kernels.c` fails. What
nobody notices is printed by name.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hsa_device.decoding import Instruction, Kind, read_instruction
from hsa_device.isa import instruction_set
from hsa_device.model.compilation import Compile, CompileEnd, End, Run, nothing
from hsa_device.model.waves import EXEC, Waves
from hsa_device.targets import Family
from tests.rocr.device.test_device_golden import RDNA3_CASES

#: What can be wrong: a name, and what is done after an instruction has been executed right.
Damage = Callable[[Waves, Instruction], None]


@dataclass(frozen=True)
class Mistake:
    """An instruction of a family that is executed wrongly, and how."""

    name: str
    how: str
    family: Family = Family.CDNA


def _results(waves: Waves, instruction: Instruction) -> Iterator[tuple[Any, Any]]:
    """Yield the registers of the first operand, as array and index, for the chosen waves."""
    operand = instruction.operands[0] if instruction.operands else None
    if operand is None:
        return
    if operand.kind in (Kind.VECTOR, Kind.ACCUMULATOR):
        first = waves.accumulators if operand.kind is Kind.ACCUMULATOR else 0
        yield waves.vector[first + operand.number], operand.number
    elif operand.kind is Kind.SCALAR and operand.number < EXEC:
        yield waves.scalar, operand.number


def _lowest_bit(waves: Waves, instruction: Instruction) -> None:
    for array, number in _results(waves, instruction):
        if array is waves.scalar:
            array[waves.chosen, number] ^= 1
        else:
            array[waves.chosen] ^= waves.active.astype(np.uint32)


def _highest_bit(waves: Waves, instruction: Instruction) -> None:
    for array, number in _results(waves, instruction):
        if array is waves.scalar:
            array[waves.chosen, number] ^= 1 << 31
        else:
            array[waves.chosen] ^= waves.active.astype(np.uint32) << np.uint32(31)


def _last_lane(waves: Waves, instruction: Instruction) -> None:
    for array, number in _results(waves, instruction):
        if array is waves.scalar:
            array[waves.chosen, number] ^= 2
        else:
            last = waves.active.copy()
            last[:, :-1] = False
            array[waves.chosen] ^= last.astype(np.uint32)


def _where_the_sign_is_set(waves: Waves, instruction: Instruction) -> None:
    for array, number in _results(waves, instruction):
        if array is waves.scalar:
            array[waves.chosen, number] ^= array[waves.chosen, number] >> 31
        else:
            found = array[waves.chosen]
            array[waves.chosen] = np.where(waves.active, found ^ found >> np.uint32(31), found)


def _scc(waves: Waves, instruction: Instruction) -> None:
    waves.scc[waves.chosen] ^= True


DAMAGES: Mapping[str, Damage] = {
    "the lowest bit": _lowest_bit,
    "the highest bit": _highest_bit,
    "the last lane": _last_lane,
    "negative results": _where_the_sign_is_set,
    "SCC": _scc,
}
#: After these waves stand at the next instruction, if they stand anywhere.
_STAY = ("s_barrier", "s_endpgm", "s_getpc_b64", "s_sleep", "s_trap")
#: In the names of instructions of LDS that have a result.
_ANSWERS = {"read", "load", "rtn", "permute", "swizzle"}
#: Of two in one they come second, and are executed as the first one is.
_SECOND = ("v_dual_add_nc_u32", "v_dual_and_b32", "v_dual_lshlrev_b32")
NOTHING_DONE, EVERY_LANE, GOES_ON = "nothing is done", "EXEC is ignored", "never goes elsewhere"


def mistakes(family: Family, count: int, seed: int) -> Sequence[Mistake]:
    """Return mistakes by a seed, each in another instruction if there are as many.

    Args:
        family: whose instructions they are in.
        count: how many.
        seed: the same gives the same.

    """
    chance = random.Random(seed)
    names, ends = _names(family)
    order = [*names, *ends]
    chance.shuffle(order)
    found = []
    for number in range(count):
        name = order[number % len(order)]
        how = GOES_ON if name in ends else chance.choice(_ways(name, family))
        found.append(Mistake(name, how, family))
    return found


#: Their results never have the highest bit.
_NEVER_NEGATIVE = (
    *("v_bfe_u32", "v_cubeid_f32", "v_cvt_f16_f32", "v_cvt_f32_u32", "v_exp_f32", "v_fract_f32"),
)


def _ways(name: str, family: Family) -> Sequence[str]:
    """Return what can be wrong about an instruction so that its result is another one."""
    stores = name.startswith("ds_") and not _ANSWERS & set(name.split("_"))
    stores |= "store" in name or "atomic" in name or "setreg" in name
    without = ["s_cmp", "s_bitcmp", "s_denorm", "s_round"]
    if family is Family.RDNA3:
        without.append("v_cmpx")  # whose first operand is a source there
    if (stores and "bpermute" not in name) or name.startswith(tuple(without)):
        return [NOTHING_DONE]
    ways = [NOTHING_DONE, "the lowest bit", "the highest bit"]
    if name[0] == "v" and not name.startswith(("v_cmp", "v_read", "v_writelane")):
        ways += [EVERY_LANE, "the last lane"]
        if name.endswith("32") and name not in _NEVER_NEGATIVE:
            ways.append("negative results")
    return ways


@contextmanager
def made(mistake: Mistake) -> Iterator[None]:
    """Let an instruction be executed wrongly."""
    section = instruction_set(mistake.family).section_of(mistake.name)
    assert section is not None
    table: dict[str, Any] = (  # the tables are dictionaries, which nobody else changes
        section.ends if mistake.name in section.ends else section.instructions  # type: ignore[assignment]
    )
    right = table[mistake.name]
    wrong = _end(right) if mistake.how == GOES_ON else _run(right, mistake.how)
    table[mistake.name] = wrong
    try:
        yield
    finally:
        table[mistake.name] = right


def _run(right: Compile, how: str) -> Compile:
    def make(instruction: Instruction) -> Run:
        run = right(instruction)

        def wrong(waves: Waves) -> None:
            if how == NOTHING_DONE:
                return
            if how == EVERY_LANE:
                active, whole = waves.active, waves.whole
                waves.active, waves.whole = np.ones_like(active), True
                run(waves)
                waves.active, waves.whole = active, whole
                return
            run(waves)
            DAMAGES[how](waves, instruction)

        return wrong

    return make


def _end(right: CompileEnd) -> CompileEnd:
    def make(instruction: Instruction) -> End:
        end = right(instruction)

        def wrong(waves: Waves, following: int) -> None:
            end(waves, following)
            waves.pc[waves.chosen] = following

        return wrong

    return make


def _names(family: Family) -> tuple[Sequence[str], Sequence[str]]:
    """Return instructions: those that compute, load or store, and those that end a block.

    Of RDNA3 they are those with a case, since its tables have some that MI200 alone has.
    """
    sections = instruction_set(family).sections
    runs = {name: each for section in sections for name, each in section.instructions.items()}
    ends = {name for section in sections for name in section.ends if name not in _STAY}
    if family is Family.RDNA3:
        shown = {part.name for c in RDNA3_CASES for part in read_instruction(c["do"], 8).parts}
        runs, ends = {name: runs[name] for name in runs.keys() & shown}, ends & shown
    return sorted(name for name, each in runs.items() if not _idle(name, each)), sorted(ends)


def _idle(name: str, make: Compile) -> bool:
    """Return whether an instruction does nothing here, reads a clock, or is never the first."""
    if make is nothing or name.startswith("v_cmpx_t_"):
        return True
    return name in ("s_memtime", "s_memrealtime", "s_sendmsg", "s_sendmsg_rtn_b64", *_SECOND)


def main(arguments: Sequence[str]) -> int:
    """Break instructions, and print what nobody notices; return 0 where 95 % are noticed."""
    from tests.rocr.device.device_kernels import KERNELS, compile_kernels
    from tests.rocr.device.noticing import noticed

    parser = argparse.ArgumentParser(prog="python -m tests.rocr.device.wrong")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", type=Family, choices=[*Family], default=Family.CDNA)
    options = parser.parse_args(arguments)
    targets = {
        Family.CDNA: (("gfx90a", 0), ("gfx90a", 3), ("gfx942", 2)),
        Family.RDNA3: (("gfx1100", 0), ("gfx1100", 3)),
    }[options.family]
    with tempfile.TemporaryDirectory() as folder:
        codes = [
            compile_kernels(
                KERNELS, Path(folder), processor, level, "-munsafe-fp-atomics"
            ).read_bytes()
            for processor, level in targets
        ]
    drawn = mistakes(options.family, options.count, options.seed)
    missed = []
    for mistake in drawn:
        with made(mistake):
            if not noticed(mistake.name, codes, mistake.family):
                missed.append(mistake)
    for each in missed:
        print(f"not noticed: {each.name}: {each.how}")
    share = 100 * (len(drawn) - len(missed)) / len(drawn)
    print(
        f"{len(drawn) - len(missed)} of {len(drawn)} noticed ({share:.1f} %), seed {options.seed}"
    )
    return 0 if share >= 95 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
