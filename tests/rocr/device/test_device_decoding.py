"""What decodes instructions and code objects, and what is said where nothing does."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hsa_device import (
    TARGETS,
    CodeObject,
    DecoderError,
    FormatError,
    Instruction,
    decoder,
    read_code_object,
)
from hsa_device.code import read_descriptor
from hsa_device.decoding import LONGEST, Kind, read_instruction
from hsa_device.listing import lines
from hsa_device.llvm import VARIABLE, Disassembler, Library, libraries
from hsa_device.llvm.choosing import decoder_library, decodes
from tests.rocr.device.device_kernels import KERNELS, PRELUDE, compile_kernels, lacking

_COPY = PRELUDE + "KERNEL copy(const GLOBAL u32 *in, GLOBAL u32 *out) { out[INDEX] = in[INDEX]; }\n"
needs_compiler = pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-")


def test_the_newest_library_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    folder = tmp_path / "usr/lib/x86_64-linux-gnu"
    folder.mkdir(parents=True)
    for name in ("libLLVM-9.so.1", "libLLVM.so.19.1", "libLLVM-14.0.6.so.1", "libLLVMfoo.so"):
        (folder / name).touch()
    (folder / "libLLVM-19.so").symlink_to("libLLVM.so.19.1")
    found = [(each.version, each.path.name) for each in libraries(tmp_path)]
    wanted = [(19, "libLLVM.so.19.1"), (14, "libLLVM-14.0.6.so.1"), (9, "libLLVM-9.so.1")]
    assert wanted == found


def test_a_variable_names_the_only_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no LLVM decodes nothing, and the message says what there is and what to install."""
    named = tmp_path / "libLLVM-99.so"
    named.write_text("no library")
    monkeypatch.setenv(VARIABLE, str(named))
    assert [Library(named, 99)] == list(libraries())
    with pytest.raises(DecoderError) as raised:
        decoder_library.__wrapped__("gfx90a")
    message = (
        f"nothing here decodes instructions of gfx90a (found: LLVM 99 ({named})): install a newer "
        f"LLVM (Debian: libllvm19), or name its library in {VARIABLE}"
    )
    assert message == str(raised.value)


@pytest.mark.parametrize("library", libraries(), ids=lambda each: str(each.version))
def test_a_library_that_does_not_know_a_processor_is_not_trusted(library: Library) -> None:
    """Those before 18 end the process that asks for gfx942."""
    assert (library.version >= 18) == decodes(library, "gfx942")
    assert not decodes(library, "gfx0")


@pytest.mark.parametrize("library", libraries(), ids=lambda each: str(each.version))
def test_libraries_write_instructions_alike(library: Library) -> None:
    if not decodes(library, "gfx90a"):
        pytest.skip("does not know gfx90a")
    made = Disassembler(library.path, "gfx90a")
    texts = {
        "000081bf": "s_endpgm",
        "fbff88bf": "s_cbranch_execz 65531",
        "05040032": "v_add_co_u32_e32 v0, vcc, s5, v2",
    }
    found = {octets: made.decode(bytes.fromhex(octets))[1] for octets in texts}
    assert texts == {octets: " ".join(text.split()) for octets, text in found.items()}


@pytest.mark.skipif(bool(lacking("gfx1100")), reason=lacking("gfx1100") or "-")
@pytest.mark.parametrize("wave", [32, 64])
def test_libraries_read_kernels_of_rdna3_alike(wave: int, tmp_path: Path) -> None:
    """Names, operands and modifiers of each instruction, whichever version decodes it."""
    known = [each for each in libraries() if decodes(each, "gfx1100")]
    if len(known) < 2:
        pytest.skip("needs two versions of LLVM that know gfx1100")
    options = (f"-mwavefrontsize{wave}",) if wave == 64 else ()
    code = read_code_object(compile_kernels(KERNELS, tmp_path, "gfx1100", 2, *options).read_bytes())
    found = [set(_instructions(code, Disassembler(each.path, "gfx1100", wave))) for each in known]
    assert [found[0]] * len(known) == found
    assert len(found[0]) > 500


def _instructions(code: CodeObject, disassembler: Disassembler) -> Iterator[str]:
    """Yield what is read of each instruction, with its address."""
    for address, size in code.functions.values():
        at = address
        while at < address + size:
            length, text = disassembler.decode(code.read(at, min(LONGEST, address + size - at)))
            read = read_instruction(text.replace("\t", " "), length) if length else None
            yield f"{at:#x} {replace(read, text='', second=None) if read else None}"
            if read and read.second:
                yield f"{at:#x} {replace(read.second, text='')}"
            at += length or 4


def test_an_instruction_is_read_from_text() -> None:
    found = read_instruction(
        "v_fma_f32 v0, -|v1|, s[2:3], 0.5 clamp op_sel:[0,1,0] row_mask:0xf", 8
    )
    assert ("v_fma_f32", "", 8) == (found.name, found.encoding, found.size)
    kinds = [Kind.VECTOR, Kind.VECTOR, Kind.SCALAR, Kind.FLOAT]
    assert kinds == [each.kind for each in found.operands]
    changed = found.operands[1]
    assert (1, True, True) == (changed.number, changed.negated, changed.absolute)
    assert (2, 2) == (found.operands[2].number, found.operands[2].count)
    assert {"clamp": "", "op_sel": "[0,1,0]", "row_mask": "0xf"} == found.modifiers
    assert ([0, 1, 0], 15) == (found.numbers("op_sel", ()), found.number("row_mask"))


def test_an_upper_half_is_read_from_what_llvm_19_writes() -> None:
    beyond = "v133/*Invalid register, operand has 'VGPR_32_Lo128' register class*/"
    found = read_instruction(f"v_cmpx_eq_u16_e32 0, {beyond}", 4)
    assert [(0, False), (5, True)] == [(each.number, each.upper) for each in found.operands]
    newer = read_instruction("v_cmpx_eq_u16_e32 0, v5.h", 4)
    assert found == newer


def test_the_encoding_is_no_part_of_the_name() -> None:
    names = [
        (each.name, each.encoding)
        for each in (read_instruction(f"v_add_u32_{e} v0, v1, v2", 4) for e in ("e32", "sdwa"))
    ]
    assert [("v_add_u32", "e32"), ("v_add_u32", "sdwa")] == names


@needs_compiler
def test_what_was_decoded_is_kept_by_its_bytes() -> None:
    made = decoder("gfx90a")
    first: Instruction | None = made.decode(bytes.fromhex("000081bf" + "00" * 16))
    assert first is not None
    assert first is made.decode(bytes.fromhex("000081bf" + "ff" * 4))
    assert made.decode(bytes.fromhex("ffffffbf")) is None


@needs_compiler
def test_a_listing_names_each_instruction_and_how_true_it_is(tmp_path: Path) -> None:
    code = read_code_object(compile_kernels(_COPY, tmp_path).read_bytes())
    found = list(lines(code))
    assert found[0].startswith("gfx90a, decoded by LLVM ")
    assert "copy: (kernel)" in found
    assert any(line.endswith("s_endpgm") for line in found)
    assert "kinds of instructions are executed exactly, 0 approximately (~), 0 not (!)" in found[-1]


@needs_compiler
def test_a_descriptor_says_what_the_kernel_finds(tmp_path: Path) -> None:
    source = PRELUDE + (
        "KERNEL local(GLOBAL u32 *out) { SHARED u32 shared[100]; shared[ITEM] = 1; barrier();"
        " out[GROUP] = shared[ITEM ^ 1]; }"
    )
    code = read_code_object(compile_kernels(source, tmp_path).read_bytes())
    found = read_descriptor(code.read(code.kernels["local"], 64), code.target)
    assert (400, 0, (True, False, False), 1) == (
        found.group,
        found.private,
        found.groups,
        found.item_dimensions,
    )
    assert found.mode == 0x3F0
    assert "arguments" in found.user


def test_a_descriptor_that_cannot_be_is_refused() -> None:
    waves_of_32 = struct.pack("<56xH6x", 1 << 10)
    with pytest.raises(FormatError, match="waves of 32"):
        read_descriptor(waves_of_32, TARGETS["gfx90a"])
    assert 32 == read_descriptor(waves_of_32, TARGETS["gfx1100"]).wave
    with pytest.raises(FormatError, match="2 registers set from the packet, in room for 0"):
        read_descriptor(struct.pack("<56xH6x", 1 << 3), TARGETS["gfx90a"])


@settings(deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_bytes_that_are_no_code_object_are_refused(content: bytes, with_magic: bool) -> None:
    with pytest.raises(FormatError):
        read_code_object(b"\x7fELF\x02\x01\x01" * with_magic + content)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_kernels(_COPY, tmp_path_factory.mktemp("code")).read_bytes()


@needs_compiler
@settings(deadline=None)
@given(data=st.data())
def test_a_broken_code_object_is_refused_or_read(data: st.DataObject, content: bytes) -> None:
    """Nothing but a FormatError of one line comes of bytes that were changed, or cut off."""
    broken = bytearray(content)
    for _ in range(data.draw(st.integers(0, 3))):
        broken[data.draw(st.integers(0, 300))] = data.draw(st.integers(0, 255))
    cut = bytes(broken[: data.draw(st.sampled_from([len(broken), 64, 500, 2000]))])
    said = ""
    try:
        read_code_object(cut)
    except FormatError as error:
        said = str(error)
    assert "\n" not in said


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "usage: python -m hsa_device CODE_OBJECT\n"),
        (["none"], 3, "none: [Errno 2] No such file or directory: 'none'\n"),
        ([__file__], 3, f"{__file__}: no code object: Magic number does not match\n"),
    ],
)
def test_a_bad_file_is_one_line(arguments: list[str], status: int, message: str) -> None:
    command = [sys.executable, "-m", "hsa_device", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (status, message) == (done.returncode, done.stderr)
