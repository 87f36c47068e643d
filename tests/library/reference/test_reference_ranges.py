"""The table of ranges answers like a search through all of them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from hsa_reference.ranges import Ranges


@dataclass(frozen=True)
class Piece:
    address: int
    size: int


@st.composite
def pieces(draw: st.DrawFn) -> list[Piece]:
    """Ranges that do not overlap, some of them adjacent."""
    found, position = [], 0
    for gap, size in draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4)), max_size=8)):
        found.append(Piece(position + gap, size))
        position += gap + size
    return draw(st.permutations(found))


@given(pieces(), st.integers(0, 40), st.integers(0, 12))
def test_questions_are_answered_like_a_linear_search(
    added: list[Piece], address: int, size: int
) -> None:
    table: Ranges[Piece] = Ranges()
    for piece in added:
        table.add(piece)
    holding = (p for p in added if p.address <= address < p.address + p.size)
    starting = (p for p in added if p.address == address)
    assert (next(holding, None), next(starting, None)) == (table.around(address), table.at(address))
    wanted = set(range(address, address + size))
    touched = [p for p in added if wanted & set(range(p.address, p.address + p.size))]
    assert sorted(touched, key=lambda p: p.address) == table.overlapping(address, size)


@given(pieces())
def test_a_row_is_found_exactly_where_whole_ranges_are_adjacent(added: list[Piece]) -> None:
    table: Ranges[Piece] = Ranges()
    for piece in added:
        table.add(piece)
    inside = sorted(added, key=lambda p: p.address)
    for first in range(len(inside)):
        for last in range(first, len(inside)):
            row = inside[first : last + 1]
            end = row[-1].address + row[-1].size
            adjacent = sum(p.size for p in row) == end - row[0].address
            assert (row if adjacent else []) == table.row(row[0].address, end - row[0].address)
            assert [] == table.row(row[0].address, end - row[0].address + 100)


@given(pieces(), st.data())
def test_what_was_removed_is_not_found(added: list[Piece], data: st.DataObject) -> None:
    table: Ranges[Piece] = Ranges()
    for piece in added:
        table.add(piece)
    removed = data.draw(st.sets(st.sampled_from(added))) if added else set()
    for piece in removed:
        table.remove(piece)
    assert sorted(set(added) - removed, key=lambda p: p.address) == list(table)
    assert all(table.around(p.address) is None for p in removed)
