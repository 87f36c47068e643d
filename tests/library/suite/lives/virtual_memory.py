"""Mistakes about mappings of virtual memory."""

from __future__ import annotations

from tests.wrong.functions import SUCCESS, Cases, Function, Functions

MAP, UNMAP = "hsa_amd_vmem_map", "hsa_amd_vmem_unmap"


class MappedMemory:
    """What is mapped, and the right functions for it."""

    def __init__(self, functions: Functions) -> None:
        self.right = functions
        self.sizes: dict[int, int] = {}

    def map(self, va: int, size: int, *rest: int) -> int:
        """Map as it should be."""
        answer = self.right[MAP](va, size, *rest)
        if answer == SUCCESS:
            self.sizes[va] = size
        return answer

    def unmap(self, va: int, size: int) -> int:
        """Unmap as it should be."""
        answer = self.right[UNMAP](va, size)
        if answer == SUCCESS:
            self.sizes = {a: n for a, n in self.sizes.items() if not va <= a < va + size}
        return answer

    def is_row(self, va: int, size: int) -> bool:
        """Return whether these are several mappings."""
        ends = {a + n for a, n in self.sizes.items()}
        return va in self.sizes and self.sizes[va] < size and va + size in ends


def unmaps_only_the_first(f: Functions) -> dict[str, Function]:
    """Unmap only the first of several mappings."""
    known = MappedMemory(f)

    def unmap(va: int, size: int) -> int:
        return known.unmap(va, known.sizes[va] if known.is_row(va, size) else size)

    return {MAP: known.map, UNMAP: unmap}


def unmaps_before_it_refuses(f: Functions) -> dict[str, Function]:
    """Refuse to unmap several mappings once the first is gone."""
    known = MappedMemory(f)

    def unmap(va: int, size: int) -> int:
        if known.is_row(va, size):
            known.unmap(va, known.sizes[va])
            return 0x1001
        return known.unmap(va, size)

    return {MAP: known.map, UNMAP: unmap}


def unmaps_one_more(f: Functions) -> dict[str, Function]:
    """Unmap what follows several mappings, too."""
    known = MappedMemory(f)

    def unmap(va: int, size: int) -> int:
        row = known.is_row(va, size)
        answer = known.unmap(va, size)
        if row and va + size in known.sizes:
            known.unmap(va + size, known.sizes[va + size])
        return answer

    return {MAP: known.map, UNMAP: unmap}


def counts_a_row_once(f: Functions) -> dict[str, Function]:
    """Take a range for one in use once several of its mappings were unmapped together."""
    known = MappedMemory(f)
    rows: list[int] = []
    free = "hsa_amd_vmem_address_free"

    def unmap(va: int, size: int) -> int:
        rows.extend([va] if known.is_row(va, size) else [])
        return known.unmap(va, size)

    def give_back(va: int, size: int) -> int:
        return 0x1024 if any(va <= a < va + size for a in rows) else f[free](va, size)

    return {MAP: known.map, UNMAP: unmap, free: give_back}


MISTAKES: Cases = {
    "virtual memory: only the first of several is unmapped": (
        "hsa_amd_vmem_map/success",
        unmaps_only_the_first,
        {"hsa_amd_vmem_unmap/host-access-gone", "hsa_amd_vmem_address_free/success"}
        | {"hsa_amd_vmem_get_access/not-mapped", "hsa_amd_vmem_map/success"},
    ),
    "virtual memory: the first of several goes though they are refused": (
        "hsa_amd_vmem_map/success",
        unmaps_before_it_refuses,
        {"hsa_amd_vmem_unmap/failure-changes-nothing", "hsa_amd_vmem_unmap/success"}
        | {"hsa_amd_vmem_get_access/success", "hsa_amd_vmem_set_access/success"},
    ),
    "virtual memory: what follows several goes with them": (
        "hsa_amd_vmem_map/success",
        unmaps_one_more,
        {"hsa_amd_vmem_unmap/others-stay", "hsa_amd_vmem_unmap/success"}
        | {"hsa_amd_vmem_get_access/success", "hsa_amd_vmem_set_access/success"},
    ),
    "virtual memory: a range is in use after several are unmapped": (
        "hsa_amd_vmem_map/success",
        counts_a_row_once,
        {"hsa_amd_vmem_address_free/success"},
    ),
}
