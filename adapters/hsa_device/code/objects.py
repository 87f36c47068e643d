"""Code objects: what of an ELF file the device needs to load it by itself."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from hsa_device.code.descriptor import SIZE
from hsa_device.errors import FormatError
from hsa_device.targets import TARGETS, Target, known

_SUFFIX = ".kd"
_MACHINE = 224  # EM_AMDGPU
_BY_NUMBER: Mapping[int, Target] = {target.number: target for target in TARGETS.values()}


@dataclass(frozen=True)
class Segment:
    """A part that is loaded: its address, what it begins with, and its size in bytes."""

    address: int
    content: bytes
    size: int
    executable: bool


@dataclass(frozen=True)
class CodeObject:
    """A code object.

    Args:
        target: the processor that it is for.
        segments: what is loaded.
        kernels: the addresses of kernel descriptors, by the name of the kernel.
        functions: address and size of what holds instructions, by name.

    """

    target: Target
    segments: Sequence[Segment]
    kernels: Mapping[str, int]
    functions: Mapping[str, tuple[int, int]]

    @property
    def processor(self) -> str:
        """Return the name of the processor that it is for, such as "gfx90a"."""
        return self.target.name

    def read(self, address: int, size: int) -> bytes:
        """Return bytes of what is loaded, fewer where a segment ends.

        Raises:
            FormatError: no segment holds the address.

        """
        for each in self.segments:
            if each.address <= address < each.address + each.size:
                start = address - each.address
                found = each.content[start : start + size]
                return found + bytes(min(size, each.size - start) - len(found))
        raise FormatError(f"no segment holds {address:#x}")


def read_code_object(content: bytes) -> CodeObject:
    """Return the code object that these bytes are.

    Raises:
        FormatError: they are none, or one for a processor that the device does not have.

    """
    try:
        return _read(ELFFile(io.BytesIO(content)), content)
    except (ELFError, OverflowError, ValueError, UnicodeDecodeError) as error:
        raise FormatError(f"no code object: {error}") from error


def _read(elf: Any, content: bytes) -> CodeObject:  # noqa: ANN401 - pyelftools has no types
    header = elf.header
    if header["e_machine"] not in (_MACHINE, "EM_AMDGPU"):
        raise FormatError("no code object for an AMD GPU")
    number = header["e_flags"] & 0xFF
    if number not in _BY_NUMBER:
        raise FormatError(f"code for processor {number:#x}; there are {known()}")
    segments = [_segment(h, content) for h in elf.iter_segments() if h["p_type"] == "PT_LOAD"]
    table = elf.get_section_by_name(".symtab") or elf.get_section_by_name(".dynsym")
    symbols = list(table.iter_symbols()) if table else []
    kernels = {
        s.name.removesuffix(_SUFFIX): s["st_value"]
        for s in symbols
        if s.name.endswith(_SUFFIX) and s["st_size"] == SIZE
    }
    functions = {
        s.name: (s["st_value"], s["st_size"])
        for s in symbols
        if s["st_info"]["type"] == "STT_FUNC" and s["st_size"]
    }
    return CodeObject(_BY_NUMBER[number], segments, kernels, functions)


def _segment(header: Any, content: bytes) -> Segment:  # noqa: ANN401 - pyelftools has no types
    offset, filled, size = header["p_offset"], header["p_filesz"], header["p_memsz"]
    if offset + filled > len(content) or filled > size:
        raise FormatError(f"a segment at {header['p_vaddr']:#x} that is not in the file")
    part = content[offset : offset + filled]
    return Segment(header["p_vaddr"], part, size, bool(header["p_flags"] & 1))
