"""What an object leaves behind is found where it was used, made in one way, or had a neighbour."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from hsa_conformance.engine.generation.atoms import begins
from hsa_conformance.topics import TOPICS
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Functions, Mistake, handle_at, honest, mistaken
from tests.wrong.inside import results

RESERVE, FREE = "hsa_amd_vmem_address_reserve_align", "hsa_amd_vmem_address_free"
CREATE, RELEASE = "hsa_amd_vmem_handle_create", "hsa_amd_vmem_handle_release"
SIGNAL, DESTROY = "hsa_signal_create", "hsa_signal_destroy"
MAP, UNMAP = "hsa_amd_interop_map_buffer", "hsa_amd_interop_unmap_buffer"


@pytest.fixture
def kept() -> Iterator[list[int]]:
    """Descriptors that a wrong library keeps, closed at the end."""
    found: list[int] = []
    yield found
    for descriptor in found:
        os.close(descriptor)


def keep(kept: list[int]) -> None:
    kept.append(os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC))


def once_used(kept: list[int]) -> Mistake:
    """Keep something of a signal that was stored to."""

    def mistake(f: Functions) -> dict[str, Callable[..., int]]:
        used: set[int] = set()

        def store(signal: int, value: int) -> int:
            used.add(signal)
            return f["hsa_signal_store_relaxed"](signal, value)

        def destroy(signal: int) -> int:
            if signal in used:
                used.remove(signal)
                keep(kept)
            return f[DESTROY](signal)

        return {"hsa_signal_store_relaxed": store, DESTROY: destroy}

    return mistake


def of_one_flag(kept: list[int]) -> Mistake:
    """Keep something of a range that was reserved with a flag and an alignment."""

    def mistake(f: Functions) -> dict[str, Callable[..., int]]:
        odd: set[int] = set()

        def reserve(va: int, size: int, address: int, alignment: int, flags: int) -> int:
            answer = f[RESERVE](va, size, address, alignment, flags)
            if answer == SUCCESS and flags and alignment > 4096:
                odd.add(handle_at(va))
            return answer

        def free(va: int, size: int) -> int:
            answer = f[FREE](va, size)
            if answer == SUCCESS and va in odd:
                odd.remove(va)
                keep(kept)
            return answer

        return {RESERVE: reserve, FREE: free}

    return mistake


def beside_a_neighbour(kept: list[int]) -> Mistake:
    """Keep something of a signal that is destroyed while there are several others."""

    def mistake(f: Functions) -> dict[str, Callable[..., int]]:
        live: set[int] = set()

        def create(value: int, count: int, consumers: int, signal: int) -> int:
            answer = f[SIGNAL](value, count, consumers, signal)
            if answer == SUCCESS:
                live.add(handle_at(signal))
            return answer

        def destroy(signal: int) -> int:
            live.discard(signal)
            if len(live) > 2:  # as no other check has
                keep(kept)
            return f[DESTROY](signal)

        return {SIGNAL: create, DESTROY: destroy}

    return mistake


def of_one_source(kept: list[int]) -> Mistake:
    """Keep something of a buffer that is mapped while the same one is mapped already."""

    def mistake(f: Functions) -> dict[str, Callable[..., int]]:
        buffers: dict[int, int] = {}  # by where they are mapped

        def map_(count: int, agents: int, source: int, flags: int, *outputs: int) -> int:
            answer = f[MAP](count, agents, source, flags, *outputs)
            if answer == SUCCESS:
                if source in buffers.values():
                    keep(kept)
                buffers[handle_at(outputs[1])] = source
            return answer

        def unmap(address: int) -> int:
            buffers.pop(address, None)
            return f[UNMAP](address)

        return {MAP: map_, UNMAP: unmap}

    return mistake


def until_the_range_is_freed(kept: list[int]) -> Mistake:
    """Keep memory open that was mapped until its range is freed."""

    def mistake(f: Functions) -> dict[str, Callable[..., int]]:
        taken: dict[int, int] = {}
        held: dict[int, int] = {}

        def create(pool: int, size: int, kind: int, flags: int, handle: int) -> int:
            answer = f[CREATE](pool, size, kind, flags, handle)
            if answer == SUCCESS:
                keep(kept)
                taken[handle_at(handle)] = kept[-1]
            return answer

        def map_(va: int, size: int, offset: int, handle: int, flags: int) -> int:
            answer = f["hsa_amd_vmem_map"](va, size, offset, handle, flags)
            if answer == SUCCESS and handle in taken:
                let_go(va)
                held[va] = taken.pop(handle)
            return answer

        def release(handle: int) -> int:
            answer = f[RELEASE](handle)
            if answer == SUCCESS and handle in taken:
                close(taken.pop(handle))
            return answer

        def free(va: int, size: int) -> int:
            answer = f[FREE](va, size)
            if answer == SUCCESS:
                let_go(va)
            return answer

        def let_go(va: int) -> None:
            if va in held:
                close(held.pop(va))

        def close(descriptor: int) -> None:
            kept.remove(descriptor)
            os.close(descriptor)

        return {CREATE: create, "hsa_amd_vmem_map": map_, RELEASE: release, FREE: free}

    return mistake


@pytest.mark.parametrize(
    ("mistake", "function", "values"),
    [
        (once_used, DESTROY, ["used by=hsa_signal_store_relaxed"]),
        (of_one_flag, FREE, [f"made by={RESERVE}", f"made by={RESERVE}, beside others"]),
        (beside_a_neighbour, DESTROY, [f"made by={SIGNAL}, beside others"]),
        (of_one_source, UNMAP, [f"made by={MAP}, beside others"]),
        (until_the_range_is_freed, RELEASE, ["used by=each function, with new objects"]),
    ],
)
def test_what_an_object_leaves_is_found(
    registry: Registry,
    kept: list[int],
    mistake: Callable[[list[int]], Mistake],
    function: str,
    values: list[str],
) -> None:
    """A leak that one use, one flag or a neighbour brings is blamed on that."""
    found = results(mistaken(registry, mistake(kept)), registry, f"{function}/nothing-kept")
    failed = {r.value: r.reason or "" for r in found if r.verdict is Verdict.WARN}
    assert values == list(failed)
    assert all("file descriptor" in reason for reason in failed.values())


@pytest.mark.parametrize("function", [DESTROY, FREE, RELEASE, "hsa_amd_memory_pool_free"])
def test_nobody_is_accused_of_what_is_used_and_given_back(
    registry: Registry, function: str
) -> None:
    found = results(mistaken(registry, honest), registry, f"{function}/nothing-kept")
    assert {("equal rounds", Verdict.PASS), ("objects that were used", Verdict.PASS)} == {
        (r.check, r.verdict) for r in found
    }


def test_what_is_kept_for_later_is_no_leak(registry: Registry, kept: list[int]) -> None:
    """A pool that a library fills at the first uses may stay."""

    def mistake(f: Functions) -> dict[str, Callable[..., int]]:
        def destroy(signal: int) -> int:
            if len(kept) < 8:
                keep(kept)
            return f[DESTROY](signal)

        return {DESTROY: destroy}

    found = results(mistaken(registry, mistake), registry, f"{DESTROY}/nothing-kept")
    assert {Verdict.PASS} == {r.verdict for r in found}


def test_each_object_that_is_given_back_has_makers(registry: Registry) -> None:
    """A function that creates an object which the model knows is a maker of some kind.

    Addresses go with what they are of, and descriptors are closed.
    """
    rules = TOPICS.rules
    made = {name for rule in rules.clean_up for name in rule.makers}
    creating = {
        function.name
        for function in registry.functions.values()
        if function.name in rules.transitions and not begins(function)
        if any(
            p.ownership == "creates" and p.role not in ("address", "descriptor")
            for p in function.params
        )
    }
    assert set() == creating - made
    assert made <= rules.transitions.keys()
