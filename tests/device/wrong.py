"""Executors that are wrong for one instruction each, and whether the tests notice.

    python -m tests.device.wrong [--count N] [--seed N]

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

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa import instruction_set
from hsa_device.model.compiled import Compile, CompileEnd, End, Run, nothing
from hsa_device.model.waves import EXEC, Waves
from hsa_device.targets import Family

SECTIONS = instruction_set(Family.CDNA).sections
#: What can be wrong: a name, and what is done after an instruction has been executed right.
Damage = Callable[[Waves, Instruction], None]


@dataclass(frozen=True)
class Mistake:
    """An instruction that is executed wrongly, and how."""

    name: str
    how: str


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
            last[:, :63] = False
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
NOTHING_DONE, EVERY_LANE, GOES_ON = "nothing is done", "EXEC is ignored", "never goes elsewhere"


def mistakes(names: Sequence[str], ends: Sequence[str], count: int, seed: int) -> Sequence[Mistake]:
    """Return mistakes by a seed, each in another instruction if there are as many.

    Args:
        names: instructions that compute, load or store.
        ends: instructions that say where waves go on.
        count: how many.
        seed: the same gives the same.

    """
    chance = random.Random(seed)
    order = [*names, *ends]
    chance.shuffle(order)
    found = []
    for number in range(count):
        name = order[number % len(order)]
        if name in ends:
            found.append(Mistake(name, GOES_ON))
            continue
        found.append(Mistake(name, chance.choice(_ways(name))))
    return found


def _ways(name: str) -> Sequence[str]:
    """Return what can be wrong about an instruction so that its result is another one."""
    stores = name.startswith("ds_") and not {"read", "rtn", "permute"} & set(name.split("_"))
    stores |= "store" in name or "atomic" in name or "setreg" in name
    if (stores and "bpermute" not in name) or name.startswith(("s_cmp", "s_bitcmp")):
        return [NOTHING_DONE]
    ways = [NOTHING_DONE, "the lowest bit", "the highest bit"]
    if name[0] == "v" and not name.startswith(("v_cmp", "v_read", "v_writelane")):
        ways += [EVERY_LANE, "the last lane"]
        if name.endswith("32"):
            ways.append("negative results")
    return ways


@contextmanager
def made(mistake: Mistake) -> Iterator[None]:
    """Let an instruction be executed wrongly."""
    section = next(s for s in SECTIONS if mistake.name in (*s.instructions, *s.ends))
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


def names() -> tuple[Sequence[str], Sequence[str]]:
    """Return all instructions: those that compute, load or store, and those that end a block."""
    return (
        sorted(n for s in SECTIONS for n, each in s.instructions.items() if not _idle(n, each)),
        sorted(n for s in SECTIONS for n in s.ends if n not in _STAY),
    )


def _idle(name: str, make: Compile) -> bool:
    """Return whether an instruction does nothing here, or reads a clock."""
    return make is nothing or name in ("s_memtime", "s_memrealtime")


def main(arguments: Sequence[str]) -> int:
    """Break instructions, and print what nobody notices; return 0 where 95 % are noticed."""
    from tests.device.device_kernels import PRELUDE, compile_kernels
    from tests.device.noticing import noticed

    parser = argparse.ArgumentParser(prog="python -m tests.device.wrong")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    source = PRELUDE + Path(__file__).with_name("kernels.c").read_text()
    with tempfile.TemporaryDirectory() as folder:
        codes = [
            compile_kernels(
                source, Path(folder), processor, level, "-munsafe-fp-atomics"
            ).read_bytes()
            for processor, level in (("gfx90a", 0), ("gfx90a", 3), ("gfx942", 2))
        ]
    drawn = mistakes(*names(), options.count, options.seed)
    missed = []
    for mistake in drawn:
        with made(mistake):
            if not noticed(mistake.name, codes):
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
