"""Code in memory: where it was put, and what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ctypes import memmove
from dataclasses import dataclass
from functools import cached_property

from hsa_reference import memory
from hsa_reference.amdgpu import relocations
from hsa_reference.amdgpu.code import Code
from hsa_reference.core.executables.source import Source
from hsa_reference.kernels import Kernel


@dataclass(frozen=True)
class LoadedCode:
    """A code object that an executable loaded.

    Args:
        handle: its value.
        executable: the handle of the executable.
        agent: the handle of the agent that it is for, 0 for the whole program.
        source: what it was read from.
        code: what it holds.
        address: where it starts.
        size: in bytes.
        moved: how far it lies from where the file wants it.

    """

    handle: int
    executable: int
    agent: int
    source: Source
    code: Code
    address: int
    size: int
    moved: int

    @cached_property
    def kernels(self) -> Mapping[int, Kernel]:
        """Return its kernels by the address of the descriptor."""
        found = (d for d in self.code.definitions.values() if d.kernel)
        return {
            place: Kernel(d.name, self.code.target, place, place + d.kernel.entry)
            for d in found
            if d.kernel and (place := d.address + self.moved)
        }

    def unload(self) -> None:
        """Give its memory back."""
        memory.unmap(self.address, self.size)


def put(code: Code, find: Callable[[bytes], int]) -> tuple[int, int, int]:
    """Put code into memory, and return its address, its size and how far it was moved.

    Args:
        code: the code.
        find: returns the address of what others define, by name, and 0 where nobody does.

    Raises:
        OSError: there is no memory for it; nothing is left behind.

    """
    segments = code.elf.segments
    alignment = max(memory.PAGE, *(s.alignment for s in segments))
    start = segments[0].address // alignment * alignment
    end = segments[-1].address + segments[-1].size
    size = -(-(end - start) // memory.PAGE) * memory.PAGE
    address = memory.allocate(size, alignment)
    moved = address - start
    for segment in segments:
        memmove(segment.address + moved, bytes(segment.data), len(segment.data))
    for place, value in relocations.values(code.elf, moved, find):
        memmove(place, value, len(value))
    return address, size, moved
