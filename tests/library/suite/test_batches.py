"""Batches of copies: a reference that does one thing of an operation wrongly is blamed for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from hsa_reference.amd.copies import batches
from hsa_reference.amd.copies.batches import Batches, Operation
from hsa_reports import Verdict

BATCH = "hsa_amd_memory_async_batch_copy"
Pairs = Callable[[Batches, Operation], list[tuple[int, int, int]]]
PAIRS: Pairs = Batches._pairs
READY: Callable[[Batches, Operation], bool] = Batches.is_ready
SIGNAL: Callable[[Batches, Operation], None] = Batches._signal


def changed(operation: Operation, **members: int) -> Operation:
    return {**operation, **{name.replace("_of_", "."): n for name, n in members.items()}}


def without_last(self: Batches, o: Operation) -> list[tuple[int, int, int]]:
    """Leave the last of several places out."""
    pairs = PAIRS(self, o)
    return pairs[:-1] if len(pairs) > 1 else pairs


def further(self: Batches, o: Operation) -> list[tuple[int, int, int]]:
    """Copy a byte too much."""
    return [(target, source, size + 1) for target, source, size in PAIRS(self, o)]


def from_first(self: Batches, o: Operation) -> list[tuple[int, int, int]]:
    """Take every source from the first place."""
    pairs = PAIRS(self, o)
    return [(target, pairs[0][1], size) for target, _, size in pairs]


def unfollowed(self: Batches, o: Operation) -> list[tuple[int, int, int]]:
    """Take the pointer to a source for the source."""
    kinds = {batches.INDIRECT_SOURCE: batches.LINEAR, batches.INDIRECT: batches.INDIRECT_TARGET}
    return PAIRS(self, changed(o, type=kinds.get(o["type"], o["type"])))


MISTAKES: Mapping[str, tuple[str, str, object]] = {
    "the last of a list is left out": ("each-completes", "_pairs", without_last),
    "a list has one source": ("each-completes", "_pairs", from_first),
    "a pointer is not followed": ("each-completes", "_pairs", unfollowed),
    "the last destination is left out": ("broadcast", "_pairs", without_last),
    "a broadcast goes too far": ("broadcast", "_pairs", further),
    "the last swap is left out": ("swap", "_pairs", without_last),
    "nothing is waited for": ("waits", "is_ready", lambda self, o: True),
    "the mask is ignored": (
        "waits",
        "is_ready",
        lambda self, o: READY(self, changed(o, wait_of_mask=2**64 - 1)),
    ),
    "less or equal is taken for less": (
        "waits",
        "is_ready",
        lambda self, o: READY(
            self,
            changed(o, wait_of_function=batches.LESS)
            if o["wait.function"] == batches.LESS_EQUAL
            else o,
        ),
    ),
    "32 bits are changed": (
        "signals",
        "_signal",
        lambda self, o: SIGNAL(self, changed(o, signal_of_data=o["signal.data"] % 2**32)),
    ),
    "what is to be lowered is raised": (
        "signals",
        "_signal",
        lambda self, o: SIGNAL(
            self,
            changed(o, signal_of_operation=batches.ADD)
            if o["signal.operation"] == batches.SUBTRACT
            else o,
        ),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_an_operation_is_blamed(
    judged: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    slug, name, wrong = MISTAKES[mistake]
    monkeypatch.setattr(Batches, name, wrong)
    assert Verdict.FAIL == judged(f"{BATCH}/{slug}")
