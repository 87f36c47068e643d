"""What has to be written into code once it is known where everything lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hsa_reference.amdgpu.elf import Elf, Symbol
from hsa_reference.amdgpu.errors import FormatError

# "Relocation Records" in LLVM's "User Guide for AMDGPU Backend".
_NONE, _LOW, _HIGH, _WHOLE, _HALF, _MOVED = 0, 1, 2, 3, 6, 13
_SIZES = {_LOW: 4, _HIGH: 4, _WHOLE: 8, _HALF: 4, _MOVED: 8}  # in bytes


def require_known(elf: Elf) -> None:
    """Hold every relocation against what there is to write to.

    Raises:
        FormatError: one has an unknown type, or lies outside what the file fills.

    """
    for each in elf.relocations:
        if each.type == _NONE:
            continue
        if each.type not in _SIZES:
            raise FormatError(f"a relocation of type {each.type}")
        elf.read(each.address, _SIZES[each.type])


def needed(elf: Elf) -> Iterator[Symbol]:
    """Yield the symbols whose addresses are written somewhere."""
    for each in elf.relocations:
        if each.symbol is not None and each.type not in (_NONE, _MOVED):
            yield each.symbol


def values(elf: Elf, moved: int, find: Callable[[bytes], int]) -> Iterator[tuple[int, bytes]]:
    """Yield what is to be written where: addresses that are moved already, and bytes.

    Args:
        elf: the file.
        moved: how far everything was moved.
        find: returns the address of what others define, by name, and 0 where nobody does.

    """
    for each in elf.relocations:
        if each.type == _NONE:
            continue
        if each.type == _MOVED:
            value = moved + each.addend
        else:
            value = _address(each.symbol, moved, find) + each.addend
        if each.type == _HIGH:
            value >>= 32
        size = _SIZES[each.type]
        yield each.address + moved, (value % (1 << 8 * size)).to_bytes(size, "little")


def _address(symbol: Symbol | None, moved: int, find: Callable[[bytes], int]) -> int:
    if symbol is None:
        return 0
    if not symbol.defined:
        return find(symbol.name)
    return symbol.address if symbol.absolute else symbol.address + moved
