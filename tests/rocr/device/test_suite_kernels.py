"""The suite's own kernels: LLVM reads their words as meant, and they do what they say."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from hsa_conformance.code_objects import TARGETS, Code, Does, build, doing, has_kernels
from hsa_conformance.code_objects.kernels import wavefront
from hsa_conformance.code_objects.programs import program
from hsa_device import DecoderError, IllegalInstructionError, TrapError
from hsa_device.llvm import Disassembler, decoder_library
from tests.rocr.device.device_kernels import LoadedKernels, lacking, pointers

PROCESSORS = ("gfx900", "gfx906", "gfx90a", "gfx942", "gfx1100")
DOES: tuple[Does, ...] = get_args(Does)
EVERY_BIT = 0xFEDC_BA98_7654_3210


@pytest.mark.parametrize("does", DOES)
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_words_of_a_kernel_are_what_stands_beside_them(processor: str, does: Does) -> None:
    """LLVM's disassembler writes the same text; what is no instruction has none."""
    try:
        path = decoder_library(processor).path
        disassembler = Disassembler(path, processor, wavefront(TARGETS[processor]))
    except DecoderError as error:
        pytest.skip(str(error))
    code = program(does, TARGETS[processor])
    found, at = [], 0
    for _ in code.instructions:
        size, text = disassembler.decode(code.content[at : at + 20])
        found.append((size or 4, text.replace("\t", " ")))
        at += size or 4
    assert [(4 * len(e.words), e.text) for e in code.instructions] == found


@pytest.mark.parametrize("processor", ["gfx803", "gfx1030", "gfx1201"])
def test_for_other_generations_there_is_the_kernel_that_does_nothing(processor: str) -> None:
    """A processor of another generation has another encoding."""
    assert not has_kernels(TARGETS[processor])
    assert 1 == len(program("nothing", TARGETS[processor]).instructions)


@pytest.fixture(params=["gfx90a", "gfx942", "gfx1100"])
def processor(request: pytest.FixtureRequest) -> str:
    if reason := lacking(request.param):
        pytest.skip(reason)
    name: str = request.param
    return name


def run(processor: str, does: Does, *arguments: int) -> list[int]:
    """Dispatch a kernel beside two words, 7 and 0, and return what they hold then.

    Args:
        processor: that executes it.
        does: what it does.
        arguments: numbers, where 0 and 1 stand for the address of a word.

    """
    target, held = TARGETS[processor], np.array([7, 0], np.uint64)
    kernel = doing(does, target)
    loaded = LoadedKernels(build(Code(target, (kernel,))), [held])
    places = {0: held.ctypes.data, 1: held.ctypes.data + 8}
    given = pointers(*(places.get(each, each) for each in arguments))
    loaded.run("kernel", given, (1,), (1,), private=kernel.private)
    return [int(each) for each in held]


def test_a_kernel_does_nothing(processor: str) -> None:
    assert [7, 0] == run(processor, "nothing")


def test_a_kernel_stores_all_bits_of_a_value(processor: str) -> None:
    assert [7, EVERY_BIT] == run(processor, "store", 1, EVERY_BIT)


def test_a_kernel_copies_a_word(processor: str) -> None:
    assert [7, 7] == run(processor, "copy", 1, 0)


def test_a_kernel_stores_its_last_argument_when_a_word_is_set(processor: str) -> None:
    """The word is set from the start; that it waits is seen where queues run kernels."""
    assert [7, EVERY_BIT] == run(processor, "wait", 0, 1, EVERY_BIT)


def test_a_kernel_that_holds_ends_like_one_that_waits(processor: str) -> None:
    """That it stores something before is seen where queues run kernels."""
    assert [7, EVERY_BIT] == run(processor, "hold", 0, 1, EVERY_BIT)


def test_a_kernel_takes_a_value_through_private_memory(processor: str) -> None:
    """Half of the value, which is a word of 32 bits."""
    assert [7, EVERY_BIT & 0xFFFFFFFF] == run(processor, "private", 1, EVERY_BIT)


def test_a_kernel_ends_by_a_trap(processor: str) -> None:
    with pytest.raises(TrapError):
        run(processor, "trap")


def test_a_kernel_ends_by_what_is_no_instruction(processor: str) -> None:
    with pytest.raises(IllegalInstructionError):
        run(processor, "illegal")
