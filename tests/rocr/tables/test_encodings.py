"""Numbers that instructions carry, as LLVM encodes their names."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from hsa_conformance.code_objects import TARGETS, Does
from hsa_conformance.code_objects.programs import program
from hsa_device.decoding import operands
from hsa_device.isa.memory import texels
from hsa_device.llvm import probe
from tests.rocr.tables.assembling import needs_assembler, words

pytestmark = needs_assembler


#: The device has flat_scratch apart, at a number that stands for a constant.
NAMED = {name: found for name, found in operands._NAMED.items() if name != "flat_scratch"}


@pytest.mark.parametrize(("name", "found"), [*NAMED.items(), ("ttmp0", (operands._TTMP, 1))])
def test_registers_with_names_have_the_numbers_of_llvm(
    name: str, found: tuple[int, int], tmp_path: Path
) -> None:
    number, count = found
    assert count == (2 if name in ("xnack_mask", "vcc", "exec") else 1)
    target = "s2" if count == 1 else "s[2:3]"
    (word,) = words(f"s_mov_b{32 * count} {target}, {name}", "gfx90a", tmp_path)
    assert number == word & 0xFF
    operand = operands.read_operand(name)
    assert (number, count) == (operand.number, operand.count)


@pytest.mark.parametrize(("whole", "half"), [*product(("vcc", "exec"), operands._HALVES.items())])
def test_halves_of_registers_have_the_numbers_of_llvm(
    whole: str, half: tuple[str, int], tmp_path: Path
) -> None:
    suffix, further = half
    (word,) = words(f"s_mov_b32 s2, {whole}{suffix}", "gfx90a", tmp_path)
    assert operands._NAMED[whole][0] + further == word & 0xFF
    assert word & 0xFF == operands.read_operand(f"{whole}{suffix}").number


def test_formats_of_data_are_those_of_llvm(tmp_path: Path) -> None:
    """Formats from 16 on are of images alone, which LLVM knows no names of."""
    for number, widths in texels._WIDTHS.items():
        if number < 16:
            # The name begins with the component that is stored highest.
            name = "_".join(map(str, reversed(widths)))
            text = f"tbuffer_load_format_x v0, off, s[0:3], 0 format:[BUF_DATA_FORMAT_{name}]"
            assert number == words(text, "gfx90a", tmp_path)[0] >> 19 & 15, name


def test_formats_of_numbers_are_those_of_llvm(tmp_path: Path) -> None:
    """The last one is of images alone."""
    for number, name in enumerate(texels._NUMBERS):
        if name not in ("-", "srgb"):
            form = f"format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_{name.upper()}]"
            text = f"tbuffer_load_format_x v0, off, s[0:3], 0 {form}"
            assert number == words(text, "gfx90a", tmp_path)[0] >> 23 & 7, name


def test_the_end_of_a_program_is_that_of_llvm(tmp_path: Path) -> None:
    """What is tried on a library is one instruction of each family."""
    literals = [
        node.value
        for node in ast.walk(ast.parse(Path(probe.__file__).read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for processor in ("gfx90a", "gfx1100"):
        (word,) = words("s_endpgm", processor, tmp_path)
        assert word.to_bytes(4, "little").hex() in literals


@pytest.mark.parametrize("processor", ["gfx900", "gfx906", "gfx90a", "gfx942", "gfx1100"])
def test_instructions_of_the_suites_kernels_have_the_words_of_llvm(
    processor: str, tmp_path: Path
) -> None:
    """Each bit, those that its disassembler does not look at as well."""
    programs = [program(does, TARGETS[processor]) for does in get_args(Does)]
    written = [each for code in programs for each in code.instructions if each.text]
    text = "".join(f"{each.text}\n" for each in written)
    expected = words(text, processor, tmp_path)
    assert expected == [word for each in written for word in each.words]
