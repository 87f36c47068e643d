"""What adds up over equal rounds is found, and the function that keeps it is blamed."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import cast

import pytest

from hsa_adapters.protocol import Process
from hsa_conformance.engine.checks import growth
from tests.library.suite.fake_results import Put, Results

FREE = "hsa_amd_vmem_address_free"
RELEASE = "hsa_amd_vmem_handle_release"
UNMAP = "hsa_amd_vmem_unmap"
END = "hsa_shut_down"
PAIRS = (FREE, RELEASE, UNMAP, END)
KINDS = {
    "A_DESCRIPTOR": "1 file descriptor",
    "A_MAPPING": "1 memory mapping",
    "A_THREAD": "1 thread",
    "A_BLOCK": "bytes of host memory",
}


def judged(put: Put, **defines: object) -> Results:
    return put("keeps", *(f"{name}/nothing-kept" for name in PAIRS), **defines)


def accused(results: Results) -> Mapping[str, str]:
    """Return the verdicts on the pairs that are not as they should be."""
    return {
        clause.partition("/")[0]: result.verdict
        for clause, found in results.items()
        for result in found
        if result.verdict not in ("PASS", "BLOCKED")
    }


@pytest.mark.parametrize(
    ("function", "kind"),
    [*zip(PAIRS, KINDS, strict=True), (END, "A_DESCRIPTOR"), (RELEASE, "A_BLOCK")],
)
def test_who_keeps_something_is_blamed(put: Put, function: str, kind: str) -> None:
    """No other function is accused of it, though its rounds keep it, too; what grew is named."""
    results = judged(put, FAKE_KEEPS_IN=function, FAKE_KEEPS=kind)
    assert {function: "WARN"} == accused(results)
    assert KINDS[kind] in (results[f"{function}/nothing-kept"][0].reason or "")


def test_a_place_that_is_kept_is_missing_in_a_later_round(put: Put) -> None:
    """Nothing grows, but the call that makes the object is refused in the end."""
    results = judged(put, FAKE_KEEPS_IN=FREE, FAKE_KEEPS="A_PLACE")
    assert "WARN" == accused(results).get(FREE)
    reasons = [found.reason or "" for found in results[f"{FREE}/nothing-kept"]]
    assert any("lacks resources" in reason for reason in reasons)


@pytest.mark.parametrize("kind", ["A_DESCRIPTOR", "A_BLOCK"])
def test_a_cache_that_is_filled_is_no_growth(put: Put, kind: str) -> None:
    """What the first rounds keep, and later ones do not, accuses nobody."""
    assert {} == accused(judged(put, FAKE_KEEPS_IN=RELEASE, FAKE_KEEPS=kind, FAKE_KEEPS_MOST=2))


def test_a_heap_that_changes_by_chance_is_no_growth(put: Put) -> None:
    """Blocks of other sizes each time, one at a time, accuse nobody."""
    assert {} == accused(judged(put, FAKE_KEEPS_IN=RELEASE, FAKE_KEEPS="BY_CHANCE"))


def grown(counts: list[int]) -> Mapping[str, int]:
    """Return what grows where the ledger has these counts, the first after the warm-up."""
    left = iter(counts)
    process = cast("Process", SimpleNamespace(ledger=lambda: {"thing of a kind": next(left)}))
    return growth.growth(process, lambda: None)


def test_two_rounds_of_sixteen_may_be_even() -> None:
    """A leak grows in at least fourteen rounds; in one less it is none."""
    enough = [0, 0, 0, *range(1, 15)]
    assert {"thing of a kind": 1} == grown(enough)
    assert {} == grown([*enough[:-1], enough[-2]])


def test_what_shrinks_now_and_then_is_no_leak() -> None:
    """What is freed every fourth round has not been kept."""
    assert {} == grown([n % 4 for n in range(17)])


def test_rounds_end_once_too_few_are_left() -> None:
    """After three even rounds nothing can grow in fourteen of sixteen."""
    assert {} == grown([5, 5, 5, 5])


@pytest.mark.parametrize(
    ("grown", "words"),
    [
        ({"thread": 1}, "1 thread"),
        ({"thread": 2, "mapping of a GPU": 3}, "3 mappings of a GPU and 2 threads"),
        (
            {"thread": 1, "buffer object": 1, "bytes of host memory": 24},
            "1 buffer object, 24 bytes of host memory and 1 thread",
        ),
    ],
)
def test_growth_in_words(grown: Mapping[str, int], words: str) -> None:
    """Bytes are told as bytes, and other things counted."""
    assert words == growth.in_words(grown)
