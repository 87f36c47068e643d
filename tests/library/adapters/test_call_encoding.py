"""Where a call ends in code of x86-64, by what binutils assemble and disassemble."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from hsa_adapters.worker.ends.call_encoding import LONGEST, ends_with_call

REGISTERS = (
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
)  # fmt: skip
PLACES = (0, 8, -48, 127, 128, 160, -0x12345, 0x10FF, 0x7FFFFFFF)  # of displacement, in bytes
SLOT = 16  # bytes for each sample, most of them `nop`, so that one does not run into the next
_LINE = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *(?:\t(.*))?$", re.MULTILINE)


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}")
    return found


def listing(file: Path, *options: str) -> Iterator[tuple[int, bytes, str]]:
    """Yield address, bytes and text of each instruction of a file."""
    command = [tool("objdump"), "-D", "-w", "--insn-width=16", *options, str(file)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for at, digits, instruction in _LINE.findall(text):
        yield int(at, 16), bytes.fromhex(digits), instruction


def is_call(instruction: str) -> bool:
    return "call" in re.split(r"[^a-z]+", instruction)


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> dict[bytes, int]:
    """The bytes of each call that begins with FF, by this byte and the next two."""
    file = tmp_path_factory.mktemp("code") / "code"
    begin = [bytes([0xFF, *rest]) for rest in product(range(256), repeat=2)]
    file.write_bytes(b"".join((each + b"\x11" * 4).ljust(SLOT, b"\x90") for each in begin))
    found = {
        at: (code, text) for at, code, text in listing(file, "-b", "binary", "-m", "i386:x86-64")
    }
    first = {each: found[SLOT * number] for number, each in enumerate(begin)}
    return {each: len(code) for each, (code, text) in first.items() if is_call(text)}


def looks_like_one(code: bytes, sizes: dict[bytes, int]) -> bool:
    """Return whether some last bytes of code, taken alone, are a call."""
    ends = (code[-size:] for size in range(2, len(code) + 1))
    return code[-5:-4] == b"\xe8" or any(
        sizes.get(end[:3].ljust(3, b"\x11")) == len(end) for end in ends
    )


def test_calls_through_registers_and_memory_end_where_the_disassembler_ends_them(
    sizes: dict[bytes, int],
) -> None:
    """All that begins with FF is tried, in each length."""
    assert {2, 3, 4, 6, LONGEST} == set(sizes.values())
    for modrm, sib in product(range(256), repeat=2):
        code = bytes([0xFF, modrm, sib, 0x11, 0x11, 0x11, 0x11, 0x11])
        for end in range(1, len(code) + 1):
            last = code[:end][-LONGEST:]
            assert looks_like_one(last, sizes) == ends_with_call(last), last.hex()


def assembled(folder: Path, *instructions: str) -> list[tuple[bytes, str]]:
    """Return the bytes of each instruction, and what the disassembler calls it."""
    source, target = folder / "code.s", folder / "code.o"
    source.write_text("\n".join(("here:", *instructions, "")))
    subprocess.run([tool("as"), "-o", str(target), str(source)], check=True)
    found = [(code, text) for _, code, text in listing(target, "-j", ".text")]
    assert len(instructions) == len(found)
    return found


def operands() -> Iterator[str]:
    """Yield what an indirect call can call through: registers, and memory addressed in each way."""
    yield from (f"%{name}" for name in REGISTERS)
    for place in PLACES:
        yield from (str(place), f"{place}(%rip)")
        yield from (f"{place or ''}(%{base})" for base in REGISTERS)
        for index, scale in product(set(REGISTERS) - {"rsp"}, (1, 2, 4, 8)):
            yield f"{place}(,%{index},{scale})"
            yield from (f"{place or ''}(%{base},%{index},{scale})" for base in REGISTERS)


@pytest.mark.parametrize("prefix", ["", "notrack ", "fs "])
def test_every_form_of_a_call_is_one(tmp_path: Path, prefix: str) -> None:
    forms = [f"{prefix}call *{operand}" for operand in operands()]
    if not prefix:
        forms += ["call here", "call elsewhere", "addr32 call here", "data16 rex.w call here"]
    for code, text in assembled(tmp_path, *forms):
        assert is_call(text), text
        assert ends_with_call(code[-LONGEST:]), (code.hex(), text)
        assert ends_with_call((b"\x90" * LONGEST + code)[-LONGEST:]), (code.hex(), text)


@pytest.mark.parametrize(
    "form",
    [
        *("jmp *{}", "lcall *{}", "ljmp *{}", "push {}", "incl {}", "decl {}"),
        *("movl {}, %ecx", "lea {}, %rdi", "cmpl $16, {}", "movb $208, {}"),
    ],
)
def test_other_instructions_are_none(tmp_path: Path, sizes: dict[bytes, int], form: str) -> None:
    """Only one whose last bytes can be told from a call by nothing looks like one."""
    forms = [form.format(operand) for operand in operands() if operand[0] != "%"]
    for code, text in assembled(tmp_path, *forms):
        assert not is_call(text) or "lcall" in text
        assert looks_like_one(code, sizes) == ends_with_call(code[-LONGEST:]), (code.hex(), text)


@pytest.mark.parametrize(
    "form", ["jmp *%{}", "push %{}", "inc %{}", "dec %{}", "jmp *(%{})", "push (%{})"]
)
def test_no_register_makes_a_call_of_another_instruction(tmp_path: Path, form: str) -> None:
    for code, text in assembled(tmp_path, *map(form.format, REGISTERS)):
        assert not ends_with_call(code[-LONGEST:]), (code.hex(), text)


@pytest.mark.parametrize("call", ["ff10", "ff5008", "ff9000010000", "ffd0", "e800000000"])
@pytest.mark.parametrize("more", ["90", "8b07", "89442408"])
def test_what_follows_a_call_is_none(call: str, more: str) -> None:
    assert not ends_with_call(bytes.fromhex(call + more)[-LONGEST:])
