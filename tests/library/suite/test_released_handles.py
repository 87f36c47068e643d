"""What is asked of handles of virtual memory that were released."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from hsa_conformance.topics.amd.vmem.life.space import Space
from hsa_conformance.topics.amd.vmem.state import MemoryHandle


def test_a_handle_that_is_mapped_is_not_taken_for_unknown() -> None:
    """No text says that nothing is told of memory that is mapped, whoever has its handle."""
    gone, mapped = (MemoryHandle(n, 4096, 1, 0, 0, mappings) for n, mappings in ((5, 0), (7, 1)))
    space = cast("Any", SimpleNamespace(plain=3, released=[gone, mapped]))
    assert [0, 3, 5] == Space.unknown_handles(space)
