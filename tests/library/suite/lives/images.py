"""Mistakes about images and samplers."""

from __future__ import annotations

import ctypes

from hsa_reference import memory
from tests.wrong.functions import SUCCESS, Cases, Function, Functions, handle_at

IMAGE, SAMPLER = "hsa_ext_image", "hsa_ext_sampler"


def destroying_clears_other_data(f: Functions) -> dict[str, Function]:
    """Clear the start of the data of the oldest image when another one is destroyed."""
    live: dict[int, int] = {}

    def creating(name: str) -> Function:
        def create(agent: int, form: int, data: int, *rest: int) -> int:
            answer = f[name](agent, form, data, *rest)
            if answer == SUCCESS:
                live[handle_at(rest[-1])] = data
            return answer

        return create

    def destroy(agent: int, image: int) -> int:
        answer = f[f"{IMAGE}_destroy"](agent, image)
        if live.pop(image, None) and live:
            memory.store(next(iter(live.values())), 0, 8)
        return answer

    names = (f"{IMAGE}_create", f"{IMAGE}_create_with_layout")
    return {**{name: creating(name) for name in names}, f"{IMAGE}_destroy": destroy}


def destroys_two_samplers(f: Functions) -> dict[str, Function]:
    """Destroy the oldest sampler of an agent with another one, where there are three."""
    live: list[tuple[int, int]] = []

    def creating(name: str) -> Function:
        def create(agent: int, form: int, out: int) -> int:
            answer = f[name](agent, form, out)
            if answer == SUCCESS:
                live.append((agent, handle_at(out)))
            return answer

        return create

    def destroy(agent: int, sampler: int) -> int:
        if (agent, sampler) in live:
            live.remove((agent, sampler))
            if len(live) > 1:
                f[f"{SAMPLER}_destroy"](*live[0])
        return f[f"{SAMPLER}_destroy"](agent, sampler)

    names = (f"{SAMPLER}_create", f"{SAMPLER}_create_v2")
    return {**{name: creating(name) for name in names}, f"{SAMPLER}_destroy": destroy}


def words_at(place: int, count: int) -> list[int]:
    return [memory.load(place + 4 * i, 4) for i in range(count)]


def copies_too_few_slices(f: Functions) -> dict[str, Function]:
    """Copy the first slice of several alone."""

    def copy(agent: int, source: int, start: int, target: int, to: int, extent: int) -> int:
        if not extent or source == target:
            return f[f"{IMAGE}_copy"](agent, source, start, target, to, extent)
        width, height, _ = words_at(extent, 3)
        first = (ctypes.c_uint32 * 3)(width, height, 1)
        return f[f"{IMAGE}_copy"](agent, source, start, target, to, ctypes.addressof(first))

    return {f"{IMAGE}_copy": copy}


def clears_a_row_too_many(f: Functions) -> dict[str, Function]:
    """Clear the row before a part as well."""

    def clear(agent: int, image: int, data: int, region: int) -> int:
        if not region:
            return f[f"{IMAGE}_clear"](agent, image, data, region)
        x, y, z, width, height, depth = words_at(region, 6)
        more = min(y, 1)
        part = (ctypes.c_uint32 * 6)(x, y - more, z, width, height + more, depth)
        return f[f"{IMAGE}_clear"](agent, image, data, ctypes.addressof(part))

    return {f"{IMAGE}_clear": clear}


MISTAKES: Cases = {
    "images: destroying one clears the data of another": (
        f"{IMAGE}_destroy/success",
        destroying_clears_other_data,
        {f"{IMAGE}_destroy/data-stays"},
    ),
    "samplers: one goes with another": (
        f"{IMAGE}_destroy/success",
        destroys_two_samplers,
        {f"{SAMPLER}_destroy/others-unharmed"},
    ),
    "images: of several slices one is copied": (
        f"{IMAGE}_copy/success",
        copies_too_few_slices,
        {f"{IMAGE}_copy/copied"},
    ),
    "images: the row before a part is cleared with it": (
        f"{IMAGE}_copy/success",
        clears_a_row_too_many,
        {f"{IMAGE}_clear/rest-stays"},
    ),
}
