"""Mistakes about attributes of ranges."""

from __future__ import annotations

import ctypes

from hsa_reference import memory
from tests.wrong.functions import PAGE, SUCCESS, Cases, Function, Functions, handle_at

SVM = "hsa_amd_svm"


def sets_a_page_too_many(f: Functions) -> dict[str, Function]:
    """Set attributes of the page behind a range as well, once a range of three pages was set."""
    wide: list[int] = []

    def set_(ptr: int, size: int, *rest: int) -> int:
        wide.extend([size] if size > 2 * PAGE else [])
        return f[f"{SVM}_attributes_set"](ptr, size + PAGE if wide else size, *rest)

    return {f"{SVM}_attributes_set": set_}


def tells_the_first_page(f: Functions) -> dict[str, Function]:
    """Tell of a range what its first page has."""

    def get(ptr: int, size: int, *rest: int) -> int:
        return f[f"{SVM}_attributes_get"](ptr, min(size, 1), *rest)

    return {f"{SVM}_attributes_get": get}


def fetching_takes_access(f: Functions) -> dict[str, Function]:
    """Let a second prefetch take the first agent's access away that was given any."""
    let_in: list[int] = []
    fetched: list[int] = []

    def set_(ptr: int, size: int, pairs: int, count: int) -> int:
        words = memory.words(pairs, 2 * count) if pairs else ()
        let_in.extend(v for a, v in zip(words[::2], words[1::2], strict=True) if a >= 0x200)
        return f[f"{SVM}_attributes_set"](ptr, size, pairs, count)

    def fetch(ptr: int, size: int, *rest: int) -> int:
        answer = f[f"{SVM}_prefetch_async"](ptr, size, *rest)
        fetched.append(ptr)
        if answer == SUCCESS and len(fetched) > 1 and let_in:
            pair = (ctypes.c_uint64 * 2)(0x202, let_in[0])
            f[f"{SVM}_attributes_set"](ptr, size, ctypes.addressof(pair), 1)
        return answer

    return {f"{SVM}_attributes_set": set_, f"{SVM}_prefetch_async": fetch}


def waits_for_two_pages(f: Functions) -> dict[str, Function]:
    """Let a prefetch that waits be of the page before its range, too."""

    def fetch(ptr: int, size: int, agent: int, count: int, *rest: int) -> int:
        more = PAGE if count else 0
        return f[f"{SVM}_prefetch_async"](ptr - more, size + more, agent, count, *rest)

    return {f"{SVM}_prefetch_async": fetch}


def forgets_what_waits(f: Functions) -> dict[str, Function]:
    """Tell no place of a range once two prefetches have waited."""
    waited: list[int] = []

    def fetch(ptr: int, size: int, agent: int, count: int, *rest: int) -> int:
        waited.extend([ptr] if count else [])
        return f[f"{SVM}_prefetch_async"](ptr, size, agent, count, *rest)

    def get(ptr: int, size: int, pairs: int, count: int) -> int:
        answer = f[f"{SVM}_attributes_get"](ptr, size, pairs, count)
        if answer == SUCCESS and count and handle_at(pairs) == 5 and len(waited) > 1:
            memory.store(pairs + 8, 0, 8)
        return answer

    return {f"{SVM}_prefetch_async": fetch, f"{SVM}_attributes_get": get}


MISTAKES: Cases = {
    "ranges: attributes of a page too many are set": (
        f"{SVM}_attributes_set/success",
        sets_a_page_too_many,
        {f"{SVM}_attributes_set/reads-back", f"{SVM}_attributes_get/access-query"}
        | {f"{SVM}_attributes_get/indeterminate"},
    ),
    "ranges: the first page stands for all": (
        f"{SVM}_attributes_set/success",
        tells_the_first_page,
        {f"{SVM}_attributes_get/indeterminate", f"{SVM}_prefetch_async/location-pending"},
    ),
    "ranges: a prefetch takes access away": (
        f"{SVM}_attributes_set/success",
        fetching_takes_access,
        {f"{SVM}_attributes_get/access-query"},
    ),
    "ranges: the page before one that waits is at its place": (
        f"{SVM}_attributes_set/success",
        waits_for_two_pages,
        {f"{SVM}_prefetch_async/location-elsewhere", f"{SVM}_prefetch_async/location-pending"},
    ),
    "ranges: places are forgotten while others wait": (
        f"{SVM}_attributes_set/success",
        forgets_what_waits,
        {f"{SVM}_prefetch_async/location-elsewhere", f"{SVM}_prefetch_async/location-pending"},
    ),
}
