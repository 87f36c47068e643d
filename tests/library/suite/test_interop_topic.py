"""Mappings of other drivers' buffers over a library in Python: who is blamed for what."""

from __future__ import annotations

import ctypes
import itertools
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_adapters import InProcessAdapter
from hsa_reference import Runtime
from hsa_spec import Registry
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.wrong.inside import by_clause

SUCCESS, INVALID_ARGUMENT, NOT_INITIALIZED = 0, 0x1001, 0x100B
MAP = "hsa_amd_interop_map_buffer"


class Buffers:
    """The reference, with mappings that are numbers; tests replace methods to make wrong ones."""

    def __init__(self, registry: Registry) -> None:
        self.runtime = Runtime(registry=registry)
        self.metadata = ctypes.create_string_buffer(b"metadata")
        self.numbers = itertools.count(1)
        self.mapped: dict[int, int] = {}

    def functions(self) -> dict[str, Callable[..., int]]:
        return {
            **self.runtime.functions(),
            MAP: self.map,
            f"{MAP}_with_size": lambda *a: self.map(*(*a[:4], *a[5:], a[4])),
            "hsa_amd_interop_unmap_buffer": self.unmap,
        }

    def size(self, descriptor: int, hint: int) -> int:
        return os.fstat(descriptor).st_size

    def address(self, descriptor: int) -> int:
        return 0x7000_0000 + 0x10000 * next(self.numbers)

    def map(
        self,
        count: int,
        agents: int,
        descriptor: int,
        flags: int,
        size: int,
        out: int,
        length: int,
        metadata: int,
        hint: int = -1,
    ) -> int:
        state = self.runtime.state
        if not state.references:
            return NOT_INITIALIZED
        if not count or not agents or not size or not out or flags:
            return INVALID_ARGUMENT
        handles = struct.unpack(f"<{count}Q", ctypes.string_at(agents, 8 * count))
        if not all(state.find("agent", h) for h in handles) or not self.is_buffer(descriptor):
            return INVALID_ARGUMENT
        address = self.address(descriptor)
        self.mapped[address] = self.mapped.get(address, 0) + 1
        for where, what in (
            (size, self.size(descriptor, hint)),
            (out, address),
            (length, len(self.metadata)),
            (metadata, ctypes.addressof(self.metadata)),
        ):
            if where:
                ctypes.memmove(where, struct.pack("<Q", what), 8)
        return SUCCESS

    def is_buffer(self, descriptor: int) -> bool:
        try:
            return "memfd" in str(Path(f"/proc/self/fd/{descriptor}").readlink())
        except OSError:
            return False

    def unmap(self, address: int) -> int:
        if not self.runtime.state.references:
            return NOT_INITIALIZED
        self.mapped.pop(address, None)
        return SUCCESS


class ForgetsSize(Buffers):
    """Answers one byte for any buffer."""

    def size(self, descriptor: int, hint: int) -> int:
        return 1


class BelievesHints(Buffers):
    """Takes any hint for the size."""

    def size(self, descriptor: int, hint: int) -> int:
        return super().size(descriptor, hint) if hint < 0 else hint


class ForgetsMappings(Buffers):
    """Undoes all mappings with the first."""

    def unmap(self, address: int) -> int:
        known = address in self.mapped
        self.mapped.clear()
        return SUCCESS if known else INVALID_ARGUMENT


class ChangesMetadata(Buffers):
    """Writes the metadata of every mapping to one place."""

    def address(self, descriptor: int) -> int:
        self.metadata[0] = bytes([next(self.numbers) % 256])
        return super().address(descriptor)


class WantsMetadata(Buffers):
    """Has to be given room for metadata."""

    def map(
        self,
        count: int,
        agents: int,
        descriptor: int,
        flags: int,
        size: int,
        out: int,
        length: int,
        metadata: int,
        hint: int = -1,
    ) -> int:
        if not length or not metadata:
            return INVALID_ARGUMENT
        return super().map(count, agents, descriptor, flags, size, out, length, metadata, hint)


def run(registry: Registry, library: type[Buffers], *wanted: str) -> dict[str, set[str]]:
    """Run clauses, and return the verdicts of each."""
    adapter = InProcessAdapter("buffers", lambda: library(registry).functions(), registry)
    judged = by_clause(adapter, registry, one_at_a_time(registry, wanted), effort=0.3)
    found: dict[str, set[str]] = {}
    for result in (r for results in judged.values() for r in results):
        found.setdefault(result.clause, set()).add(result.verdict)
    return found


def test_honest_buffers_are_never_blamed(registry: Registry) -> None:
    """Nothing speaks against an honest library, and nothing of it is vacuous or blocked."""
    found = run(registry, Buffers, "interop")
    odd = {c: v for c, v in found.items() if v - {"PASS", "UNTESTED", "NOT_APPLICABLE"}}
    assert {} == odd
    assert 30 < sum(v == {"PASS"} for v in found.values())


WRONG = [
    (ForgetsSize, f"{MAP}/size-written"),
    (ForgetsMappings, f"{MAP}/same-again"),
    (BelievesHints, f"{MAP}_with_size/hint-zero"),
    (ChangesMetadata, f"{MAP}/metadata-lives"),
    (WantsMetadata, f"{MAP}/metadata-optional"),
]


@pytest.mark.parametrize(("library", "clause"), WRONG)
def test_a_wrong_library_is_blamed(registry: Registry, library: type[Buffers], clause: str) -> None:
    """The clause that is broken is the one that is told."""
    assert {"FAIL"} == run(registry, library, clause)[clause]
