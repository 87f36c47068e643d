"""Values of addresses, against a list with a value for each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from hsa_reference.spans import Spans

LAST = 20
CHANGES = st.lists(st.tuples(st.integers(0, LAST), st.integers(0, LAST), st.integers(0, 2)))


def constantly(value: int) -> Callable[[int], int]:
    return lambda _: value


@given(CHANGES)
def test_every_address_has_the_value_that_it_got_last(
    changes: list[tuple[int, int, int]],
) -> None:
    spans, each = Spans(0), [0] * LAST
    for one, other, value in changes:
        start, end = sorted((one, other))
        spans.change(start, end, constantly(value))
        each[start:end] = [value] * (end - start)
    assert each == [spans.over(at, at + 1)[0] for at in range(LAST)]
    assert [value for value, _ in groupby([*each, 0])] == spans.over(0, LAST + 1)


@given(st.integers(0, LAST), st.integers(0, LAST))
def test_what_a_value_becomes_depends_on_what_it_was(one: int, other: int) -> None:
    spans = Spans(0)
    for start in (one, other):
        spans.change(start, LAST, lambda old: old + 1)
    assert [(at >= one) + (at >= other) for at in range(LAST)] == [
        spans.over(at, at + 1)[0] for at in range(LAST)
    ]
