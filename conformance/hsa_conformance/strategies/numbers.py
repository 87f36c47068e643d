"""Numbers with a property of their own."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from hsa_conformance.strategies.builder import Builder
from hsa_conformance.strategies.makers import Makers


def _power_of_two(b: Builder, x: str) -> None:
    b.values[x] = b.session.model.page_size << b.draw(st.integers(0, 5))


def _no_power_of_two(b: Builder, x: str) -> None:
    page = b.session.model.page_size
    b.values[x] = b.choose([3 * page, page + 1, 2 * page - 1, 3])


def _alignment(b: Builder, x: str) -> None:
    b.values[x] = b.choose([0, 1, 2, 16]) * b.session.model.page_size


def _no_alignment(b: Builder, x: str) -> None:
    page = b.session.model.page_size
    b.values[x] = b.choose([3 * page, page // 2, page + 1, 1])


MAKERS: Mapping[str, Makers] = {
    "is_alignment": Makers(_alignment, _no_alignment),
    "is_power_of_two": Makers(_power_of_two, _no_power_of_two),
}
