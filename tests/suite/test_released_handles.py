"""What is asked of handles of virtual memory that were released."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from hsa_conformance.topics.amd.vmem.sequences.player import Player


def test_a_handle_that_is_mapped_is_not_taken_for_unknown() -> None:
    """No text says that nothing is told of memory that is mapped, whoever has its handle."""
    mapping = SimpleNamespace(handle=SimpleNamespace(handle=7))
    model = SimpleNamespace(live={"mapping": [mapping]}.__getitem__)
    player = cast("Any", SimpleNamespace(model=model, no_handles=lambda: [0, 5, 7]))
    assert [0, 5] == Player.unknown_handles(player)
