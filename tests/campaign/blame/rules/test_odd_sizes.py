"""A library that is wrong at one size alone, or far inside of memory, is found."""

from __future__ import annotations

import pytest

from hsa_conformance.engine.generation.drawing import Sampler, integers
from hsa_conformance.engine.generation.values.geometry import MOST, MOST_UNTOUCHED, sizes, within
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite import odd_ranges, odd_sizes
from tests.library.suite.odd_ranges import (
    at_most_64_kib,
    at_most_256,
    box,
    in_8_bits,
    in_32_bits,
    region,
)
from tests.library.suite.odd_sizes import KIB_64, MIB_2
from tests.wrong.functions import Mistake, verdicts


@pytest.mark.parametrize(
    ("clause", "mistake"),
    [
        ("hsa_memory_copy/copied", odd_sizes.copies_64_kib),
        ("hsa_memory_copy/copied", odd_sizes.drops_the_tail),
        ("hsa_amd_memory_async_copy/copied", odd_sizes.splits_at_2_mib),
        ("hsa_amd_memory_fill/filled", odd_sizes.counts_in_16_bits),
        ("hsa_amd_memory_fill/filled", odd_sizes.fills_by_four),
        ("hsa_amd_pointer_info/block-inside", odd_sizes.describes_64_kib),
        ("hsa_amd_pointer_info/size-told", odd_sizes.describes_32_bits),
    ],
)
def test_one_size_is_enough(registry: Registry, clause: str, mistake: Mistake) -> None:
    """Sizes next to large pages are tried, and those that a narrow field does not hold."""
    assert verdicts(registry, mistake, clause) & {Verdict.FAIL, Verdict.WARN}


@pytest.mark.parametrize(
    ("clause", "mistake"),
    [
        (
            "hsa_amd_memory_lock/whole-range",
            odd_ranges.with_number("hsa_amd_memory_lock", 1, odd_ranges.whole_pages),
        ),
        (
            "hsa_amd_memory_lock/contents-seen",
            odd_ranges.zeros_after("hsa_amd_memory_lock", 4, KIB_64),
        ),
        ("hsa_amd_memory_unlock/host-keeps", odd_ranges.clears_the_last_byte),
        (
            "hsa_amd_svm_attributes_set/reads-back",
            odd_ranges.with_number("hsa_amd_svm_attributes_set", 1, at_most_64_kib),
        ),
        ("hsa_amd_svm_prefetch_async/contents-kept", odd_ranges.fetches_and_drops),
        ("hsa_amd_portable_export_dmabuf/offset-inside", odd_ranges.narrow_offsets(MIB_2)),
        (
            "hsa_amd_ipc_memory_attach/same-bytes",
            odd_ranges.zeros_after("hsa_amd_ipc_memory_attach", 4, MIB_2),
        ),
        (
            "hsa_amd_ais_file_write/count-written",
            odd_ranges.with_number("hsa_amd_ais_file_write", 2, at_most_64_kib),
        ),
        ("hsa_amd_ais_file_read/moved", odd_ranges.counts_what_was_asked),
        (
            "hsa_amd_ais_file_write/moved",
            odd_ranges.with_number("hsa_amd_ais_file_write", 3, in_32_bits),
        ),
        ("hsa_amd_vmem_get_access/as-set", odd_ranges.forgets_access),
        (
            "hsa_amd_vmem_address_reserve/no-overlap",
            odd_ranges.with_number("hsa_amd_vmem_address_reserve", 1, in_32_bits),
        ),
    ],
)
def test_far_inside_of_memory_is_looked_at(
    registry: Registry, clause: str, mistake: Mistake
) -> None:
    """Ranges that are locked, shared, exported, moved or mapped are tried to their last byte."""
    assert verdicts(registry, mistake, clause) & {Verdict.FAIL, Verdict.WARN}


@pytest.mark.parametrize(
    ("clause", "mistake"),
    [
        ("hsa_amd_memory_async_copy_rect/box-copied", odd_ranges.shorter_box(0, 1 << 14)),
        ("hsa_amd_memory_async_copy_rect/box-copied", odd_ranges.shorter_box(1, 256)),
        ("hsa_amd_memory_async_copy_rect/box-copied", odd_ranges.shorter_box(2, 256)),
        ("hsa_amd_memory_async_copy_rect/box-copied", box(odd_ranges.near_source)),
        ("hsa_amd_memory_async_copy_rect/box-copied", box(odd_ranges.slices_of_whole_rows)),
        ("hsa_amd_memory_async_copy_rect/rest-unchanged", box(odd_ranges.whole_words)),
        ("hsa_ext_image_import/round-trip", region("hsa_ext_image_import", 5, 3, at_most_256)),
        ("hsa_ext_image_import/round-trip", region("hsa_ext_image_import", 5, 4, at_most_256)),
        ("hsa_ext_image_import/round-trip", region("hsa_ext_image_export", 5, 1, in_8_bits)),
        (
            "hsa_ext_image_import/round-trip",
            odd_ranges.with_number("hsa_ext_image_import", 3, lambda _: 0),
        ),
        ("hsa_ext_image_clear/cleared", region("hsa_ext_image_clear", 3, 1, in_8_bits)),
    ],
)
def test_later_rows_and_slices_are_looked_at(
    registry: Registry, clause: str, mistake: Mistake
) -> None:
    """Boxes and parts of images are tried that are long in a direction, with padding."""
    assert verdicts(registry, mistake, clause) & {Verdict.FAIL, Verdict.WARN}


def test_sizes_are_multiples_in_their_range() -> None:
    """The granule divides all sizes but none is left out that it divides, and one is enough."""
    assert {4096, 8192, 61440, 65536} <= set(sizes(4096, 65536, 4096).values or ())
    assert all(size % 4096 == 0 for size in sizes(4096, MOST_UNTOUCHED, 4096).values or ())
    assert [2] == list(sizes(2, within(16)).values or ())


def test_telling_sizes_come_first() -> None:
    """After the simplest come those next to large pages, two whole parts, the largest, and others.

    What else an example draws makes no difference.
    """
    choice = sizes()
    values = choice.values or ()
    drawn = []
    for draw, _ in zip(Sampler("a").examples(), range(5 + len(values)), strict=False):
        drawn.append(draw(choice))
        draw(integers(0, 255))
    assert 1 == drawn[0]
    assert {(1 << 16) + 1, 2 << 16, (1 << 21) + 1, MOST} == set(drawn[1:5])
    assert set(values) == set(drawn[5:])
