"""A code object: what it is for, what it defines, and what it leaves to others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hsa_reference.amdgpu import kernels, notes, relocations
from hsa_reference.amdgpu.elf import Elf, Symbol, read_elf
from hsa_reference.amdgpu.errors import FormatError
from hsa_reference.amdgpu.kernels import Kernel
from hsa_reference.amdgpu.notes import OldNotes
from hsa_reference.amdgpu.target import Target, from_flags

_HSA = 64
_OLD, _NEWEST = 2, 5
_OBJECT = 1
_KEPT = 256  # code objects that were read last


@dataclass(frozen=True)
class Definition:
    """A variable, or the descriptor of a kernel.

    Args:
        name: its name.
        address: where it lies before it is moved.
        size: in bytes.
        alignment: in bytes.
        constant: whether it lies where code only reads.
        kernel: the kernel, None for a variable.

    """

    name: bytes
    address: int
    size: int
    alignment: int
    constant: bool
    kernel: Kernel | None


@dataclass(frozen=True)
class Code:
    """A code object.

    Args:
        content: the file.
        version: 2 to 5.
        target: the processor that it is for.
        old: what version 2 says of itself, None for others.
        elf: what is loaded.
        definitions: what others may refer to, by name.
        undefined: the names of what others have to define. A symbol that is undefined, and whose
            address is written nowhere, is none of these: compilers leave such ones of LDS.

    """

    content: bytes
    version: int
    target: Target
    old: OldNotes | None
    elf: Elf
    definitions: Mapping[bytes, Definition]
    undefined: Sequence[bytes]

    @property
    def kernels(self) -> Sequence[Kernel]:
        """Return its kernels."""
        return [d.kernel for d in self.definitions.values() if d.kernel]


def read_code(content: bytes) -> Code | None:
    """Return the code object that these bytes are, or None where they are none."""
    try:
        return _read(content)
    except FormatError:
        return None


@lru_cache(_KEPT)
def _read(content: bytes) -> Code:
    elf = read_elf(content)
    abi, number = elf.abi
    version = number + _OLD
    if elf.machine != "EM_AMDGPU" or abi != _HSA or version > _NEWEST or not elf.segments:
        raise FormatError("no code object of a known version for an AMD GPU")
    relocations.require_known(elf)
    old = notes.old_notes(elf.notes) if version == _OLD else None
    metadata = {} if old else notes.kernels(elf.notes)
    visible = [s for s in elf.symbols if s.name and not s.local]
    definitions = {d.name: d for d in _definitions(elf, visible, metadata)}
    others = [s for s in relocations.needed(elf) if not (s.defined or s.weak or s.local)]
    undefined = list(dict.fromkeys(s.name for s in others if s.name))
    target = old.target if old else from_flags(elf.flags, version)
    return Code(content, version, target, old, elf, definitions, undefined)


def _definitions(
    elf: Elf, symbols: Sequence[Symbol], metadata: Mapping[bytes, Mapping[str, Any]]
) -> Iterator[Definition]:
    for symbol in symbols:
        if not symbol.defined or symbol.absolute or symbol.type != _OBJECT:
            continue
        segment = elf.segment(symbol.address, symbol.size)
        found = None
        if symbol.name.endswith(kernels.SUFFIX) and symbol.size == kernels.SIZE:
            descriptor = elf.read(symbol.address, symbol.size)
            found = kernels.kernel(descriptor, metadata.get(symbol.name, {}))
            elf.segment(symbol.address + found.entry, 1)
        if symbol.size >= 1 << 32:
            raise FormatError(f"a variable of {symbol.size} bytes")
        # The file does not say how a variable is aligned, only where it lies.
        alignment = min(symbol.address & -symbol.address or segment.alignment, segment.alignment)
        yield Definition(
            symbol.name, symbol.address, symbol.size, alignment, not segment.writable, found
        )
