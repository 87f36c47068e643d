"""Whole kernels, compiled by clang: what they compute, how they wait, and how they end."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hsa_device import (
    DispatchError,
    IllegalInstructionError,
    MemoryFaultError,
    NotExecutedError,
    ResourcesError,
    StoppedError,
    TrapError,
)
from hsa_device.listing import wave_of
from tests.rocr.device.device_kernels import (
    KERNELS,
    LoadedKernels,
    compile_kernels,
    lacking,
    pointers,
    scratch_sums,
)

#: A processor, a level of optimisation, a version of the compiler where more than one is tried, and
#: options.
_Target = tuple[str, int, str, Sequence[str]]
_TARGETS: list[_Target] = [
    *(("gfx90a", 0, "", ()), ("gfx90a", 3, "", ()), ("gfx942", 2, "", ())),
    *(("gfx1100", level, version, ()) for version in ("15", "19") for level in range(4)),
    *(("gfx1100", level, "19", ("-mwavefrontsize64",)) for level in (0, 2)),
]
_STACK = 4096


def _title(target: _Target) -> str:
    processor, level, version, options = target
    return "".join([f"{processor}-O{level}", f"-{version}" * bool(version), *options])


@pytest.fixture(scope="module")
def compiled(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[_Target, bytes]:
    return {}


@pytest.fixture(params=_TARGETS, ids=_title)
def content(
    request: pytest.FixtureRequest,
    compiled: dict[_Target, bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> bytes:
    """Return the code object of all kernels."""
    processor, level, version, options = request.param
    if lacking(processor, version):
        pytest.skip(lacking(processor, version))
    if request.param not in compiled:
        folder = tmp_path_factory.mktemp("kernels")
        given = ("-munsafe-fp-atomics", *options)
        path = compile_kernels(KERNELS, folder, processor, level, *given, version=version)
        compiled[request.param] = path.read_bytes()
    return compiled[request.param]


def numbers(count: int, kind: type[np.generic] = np.uint32) -> NDArray[Any]:
    return np.random.default_rng(count).integers(0, 2**32, count).astype(kind)


def test_vector_copy(content: bytes) -> None:
    given, found = numbers(5000), np.zeros(5000, np.uint32)
    loaded = LoadedKernels(content, [given, found])
    loaded.run("vector_copy", pointers(given, found), (5000,), (256,))
    assert (given == found).all()


def test_more_work_groups_than_are_resident(content: bytes) -> None:
    """Places of work-groups that have ended are given to others."""
    given, found = numbers(40000), np.zeros(40000, np.uint32)
    loaded = LoadedKernels(content, [given, found], compute_units=1)
    loaded.run("vector_copy", pointers(given, found), (40000,), (64,))
    assert (given == found).all()


def test_a_sum_by_barriers_in_lds(content: bytes) -> None:
    given, found = numbers(2560), np.zeros(10, np.uint32)
    loaded = LoadedKernels(content, [given, found])
    loaded.run("reduce", pointers(given, found), (2560,), (256,), local=1024)
    assert given.reshape(10, 256).sum(axis=1, dtype=np.uint32).tolist() == found.tolist()


@pytest.mark.parametrize("name", ["histogram", "local_histogram"])
def test_atomic_operations_lose_nothing(content: bytes, name: str) -> None:
    given, found = numbers(2560), np.zeros(64, np.uint32)
    loaded = LoadedKernels(content, [given, found])
    loaded.run(name, pointers(given, found), (2560,), (256,), local=256)
    assert np.bincount(given & 63, minlength=64).tolist() == found.tolist()


def test_atomic_operations_return_what_was_there(content: bytes) -> None:
    counter, found = np.zeros(1, np.uint32), np.zeros(1000, np.uint32)
    loaded = LoadedKernels(content, [counter, found])
    loaded.run("tickets", pointers(counter, found), (1000,), (128,))
    assert (1000, list(range(1000))) == (counter[0], sorted(found.tolist()))


def test_a_spin_lock_ends(content: bytes) -> None:
    lock, count = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    loaded = LoadedKernels(content, [lock, count])
    loaded.run("spin_lock", pointers(lock, count), (64 * 40,), (64,))
    assert 40 == count[0]


@pytest.mark.parametrize("groups", [2, 100])
def test_a_group_may_wait_for_another(content: bytes, groups: int) -> None:
    """With one compute unit the last group begins when others have ended."""
    flag, found = np.zeros(1, np.uint32), np.zeros(2, np.uint32)
    loaded = LoadedKernels(content, [flag, found], compute_units=1)
    arguments = pointers(flag, found, groups - 1)
    loaded.run("producer_and_consumer", arguments, (64 * groups,), (64,))
    assert [42, 41] == found.tolist()


def test_a_kernel_may_wait_for_the_host(content: bytes) -> None:
    word, found = np.zeros(1, np.uint32), np.zeros(64, np.uint32)
    loaded = LoadedKernels(content, [word, found])
    thread = threading.Thread(
        target=loaded.run, args=("wait_for_host", pointers(word, found), (64,), (64,))
    )
    thread.start()
    time.sleep(0.1)
    assert not found.any()
    word[0] = 9
    thread.join(20)
    assert [9] * 64 == found.tolist()


@pytest.mark.parametrize(
    ("group", "grid"),
    [((4,), (10,)), ((64, 2), (100, 5)), ((2, 3, 4), (5, 7, 9)), ((16, 16, 4), (17, 33, 5))],
)
def test_each_work_item_has_its_place(
    content: bytes, group: tuple[int, ...], grid: tuple[int, ...]
) -> None:
    """Work-groups at the end of the grid are smaller where it is no multiple of theirs."""
    width, height, depth = (*grid, 1, 1)[:3]
    found = np.zeros((depth, height, width), np.uint32)
    LoadedKernels(content, [found]).run("places", pointers(found, width, height), grid, group)
    z, y, x = np.indices(found.shape)
    assert (x + 100 * y + 10000 * z + 1 == found).all()


def test_scratch_is_private(content: bytes) -> None:
    found = np.zeros(200, np.uint32)
    LoadedKernels(content, [found]).run("scratch", pointers(found), (200,), (100,), private=_STACK)
    assert scratch_sums(100) * 2 == found.tolist()


def test_lds_through_a_generic_pointer(content: bytes) -> None:
    found = np.zeros(128, np.uint32)
    LoadedKernels(content, [found]).run(
        "generic_local", pointers(found), (128,), (64,), private=_STACK
    )
    assert [sum(3 * i * i for i in range(n % 64)) for n in range(128)] == found.tolist()


def test_recursion(content: bytes) -> None:
    found = np.zeros(64, np.uint32)
    LoadedKernels(content, [found]).run("recursion", pointers(found), (64,), (64,), private=_STACK)
    assert [0, 1, 1, 2, 3, 5, 8, 13] * 8 == found.tolist()


def test_loops_that_end_at_different_times(content: bytes) -> None:
    found = np.zeros(300, np.uint32)
    LoadedKernels(content, [found]).run("collatz", pointers(found), (300,), (100,))

    def steps(n: int) -> int:
        count = 0
        while n != 1:
            n, count = (3 * n + 1 if n & 1 else n // 2), count + 1
        return count

    assert [steps(n + 1) for n in range(300)] == found.tolist()


@pytest.mark.parametrize(("name", "kind"), [("divide", np.float64), ("divide_f32", np.float32)])
def test_quotients_are_rounded_once(content: bytes, name: str, kind: type[np.floating]) -> None:
    """Numbers of all sizes, in all combinations: denormal, largest, infinite, none."""
    info = np.finfo(kind)
    tiny, small = info.smallest_subnormal, info.smallest_normal
    edges = np.array(
        [
            *(0, 1, -1, 3, 7, 10, info.max, small, tiny, tiny * 12345, np.inf, -np.inf, np.nan),
            *(1 / small, info.max / 3, small * 5 / 3, 0.1, -1e30, 1e-30, 2.0**100 / 3, -0.0),
        ],
        kind,
    )
    drawn = np.random.default_rng(1).integers(0, 2**63, 40).astype(np.uint64)
    bits = drawn if kind is np.float64 else (drawn & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    edges = np.concatenate([edges, bits.view(kind)])
    a, b = (np.ascontiguousarray(each.ravel()) for each in np.meshgrid(edges, edges))
    found = np.zeros_like(a)
    size = 64
    grid = len(a) // size * size
    LoadedKernels(content, [a, b, found]).run(name, pointers(a, b, found), (grid,), (size,))
    with np.errstate(all="ignore"):
        wanted = a / b
    same = (wanted == found) | (np.isnan(wanted) & np.isnan(found))
    same &= np.isnan(wanted) | (np.signbit(wanted) == np.signbit(found))
    assert [] == [(x, y) for x, y, s in zip(a[:grid], b[:grid], same[:grid], strict=True) if not s]


def test_roots_are_rounded_once(content: bytes) -> None:
    given = np.abs(np.random.default_rng(3).integers(0, 2**63, 256).view(np.float64))
    given = np.where(np.isnan(given), 2.0, given)
    found = np.zeros_like(given)
    LoadedKernels(content, [given, found]).run("root", pointers(given, found), (256,), (64,))
    assert np.sqrt(given).tolist() == found.tolist()


def test_numbers_of_16_bits(content: bytes) -> None:
    a, b = (np.random.default_rng(n).standard_normal(256).astype(np.float16) for n in (1, 2))
    found = np.zeros_like(a)
    LoadedKernels(content, [a, b, found]).run("half", pointers(a, b, found), (256,), (64,))
    assert (a * b + a).tolist() == found.tolist()


def test_quotients_of_16_bits(content: bytes) -> None:
    a, b = (np.random.default_rng(n).standard_normal(256).astype(np.float16) for n in (1, 2))
    a[:4], b[:4] = [1, -1, 0, np.inf], [0, np.inf, 3, -2]
    found = np.zeros_like(a)
    LoadedKernels(content, [a, b, found]).run("half_quotient", pointers(a, b, found), (256,), (64,))
    with np.errstate(divide="ignore"):
        assert (a / b).tolist() == found.tolist()


def test_numbers_of_16_and_32_bits_together(content: bytes) -> None:
    """Each sum is exact in 64 bits, so that it is rounded once to 32."""
    chance = np.random.default_rng(7)
    a = chance.standard_normal(256).astype(np.float16)
    b = (chance.integers(-(2**20), 2**20, 256) / 1024).astype(np.float32)
    wide, narrow = np.zeros_like(b), np.zeros_like(a)
    loaded = LoadedKernels(content, [a, b, wide, narrow])
    loaded.run("mixed", pointers(a, b, wide, narrow), (256,), (64,))
    x, y = a.astype(np.float64), b.astype(np.float64)
    assert (x * y + y).astype(np.float32).tolist() == wide.tolist()
    assert (y * x + x).astype(np.float32).astype(np.float16).tolist() == narrow.tolist()


def test_bytes(content: bytes) -> None:
    given, found = np.arange(256, dtype=np.uint8), np.zeros(256, np.uint8)
    LoadedKernels(content, [given, found]).run("bytes", pointers(given, found), (256,), (64,))
    halves = np.trunc(given.view(np.int8) / 2).astype(int)
    assert ((given.astype(int) * 3 + halves) % 256).tolist() == found.tolist()


def test_sums_of_doubles(content: bytes) -> None:
    given, found = np.arange(256, dtype=np.float64), np.zeros(1, np.float64)
    LoadedKernels(content, [given, found]).run(
        "sum_of_doubles", pointers(given, found), (256,), (64,)
    )
    assert given.sum() == found[0]


def test_the_largest_of_64_bits(content: bytes) -> None:
    given = np.random.default_rng(5).integers(0, 2**64, 256, dtype=np.uint64)
    found = np.zeros(1, np.uint64)
    LoadedKernels(content, [given, found]).run("largest", pointers(given, found), (256,), (64,))
    assert given.max() == found[0]


def test_compare_and_swap(content: bytes) -> None:
    word = np.ones(1, np.uint64)
    LoadedKernels(content, [word]).run("compare_and_swap", pointers(word), (130,), (65,))
    wanted = 1
    for _ in range(130):
        wanted = (wanted * 5 + 1) % 2**64
    assert wanted == word[0]


def test_lanes_that_read_each_other(content: bytes) -> None:
    given, found = numbers(128), np.zeros(128, np.uint32)
    loaded = LoadedKernels(content, [given, found])
    loaded.run("across_lanes", pointers(given, found), (128,), (64,))
    wanted, width = [], wave_of(loaded.code, "across_lanes")
    for index, _ in enumerate(given):
        wave = given[index // width * width : index // width * width + width].tolist()
        lane = index % width
        next_one = wave[lane + 1] if lane % 16 < 15 else 0
        odd = sum((v & 1) << n for n, v in enumerate(wave))
        total = wave[lane ^ 5] + 3 * wave[0] + 5 * next_one + (odd & 0xFFFFFFFF) + 7 * (odd >> 32)
        wanted.append(total % 2**32)
    assert wanted == found.tolist()


def test_waves_interrupt_the_host(content: bytes) -> None:
    """Each once, with the lower 24 bits of its number."""
    found = np.zeros(3, np.uint32)
    loaded = LoadedKernels(content, [found])
    loaded.run("interrupt", pointers(found, 0xFF000005), (3,), (1,))
    assert [5, 6, 7] == sorted(loaded.interrupts)
    assert [0xFF000005, 0xFF000006, 0xFF000007] == found.tolist()


def test_an_endless_kernel_can_be_stopped(content: bytes) -> None:
    found = np.zeros(1, np.uint32)
    end = time.monotonic() + 0.3
    with pytest.raises(StoppedError):
        LoadedKernels(content, [found]).run(
            "endless", pointers(found), (640,), (64,), stopped=lambda: time.monotonic() > end
        )
    assert found[0] > 0


def test_the_whole_lds_of_a_compute_unit(content: bytes) -> None:
    found = np.zeros(64, np.uint32)
    LoadedKernels(content, [found]).run("large_local", pointers(found), (64,), (64,), local=65536)
    assert list(range(63, -1, -1)) == found.tolist()


@pytest.mark.parametrize(
    ("name", "local", "error", "message"),
    [
        ("trap", 0, TrapError, r"^trap 2, in s_trap 2 at 0x[0-9a-f]+$"),
        ("wild_store", 0, MemoryFaultError, r"^no memory that may be written at 0x[0-9a-f]+, in "),
        ("no_instruction", 0, IllegalInstructionError, r"^ffffffbf.* is no instruction, says LLVM"),
        ("not_executed", 0, NotExecutedError, r"does not execute s_sethalt \(.*\), at 0x"),
        ("large_local", 65540, ResourcesError, r"^65540 bytes of LDS, of 65536$"),
    ],
)
def test_what_ends_a_kernel_is_named(
    content: bytes, name: str, local: int, error: type[DispatchError], message: str
) -> None:
    found = np.zeros(128, np.uint32)
    with pytest.raises(error, match=message):
        LoadedKernels(content, [found]).run(name, pointers(found), (128,), (64,), local=local)


def test_a_huge_grid_takes_bounded_memory(content: bytes) -> None:
    """A grid of 2^32 work-items begins with as many work-groups as are resident."""
    import resource

    found = np.zeros(1, np.uint32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    end = time.monotonic() + 0.5
    with pytest.raises(StoppedError):
        LoadedKernels(content, [found]).run(
            "endless", pointers(found), (2**32 - 1,), (256,), stopped=lambda: time.monotonic() > end
        )
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20
