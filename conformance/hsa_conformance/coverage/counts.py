"""Tables of counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from hsa_reports.text import columns


def table(
    named: str, headings: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]
) -> Iterator[str]:
    """Yield the lines of a table of counts, with their sums below.

    A name that leaves no room for its counts has them on the next line.

    Args:
        named: what the first column names.
        headings: of the counts; each word of one has a line.
        rows: each with its name and its counts.

    """
    widths = [max(5, *map(len, heading.split())) for heading in headings]
    longest = max(map(len, (named, *(name for name, _ in rows))))
    room = min(longest, max(columns() - sum(widths) - len(widths), len(named)))

    def line(name: str, cells: Sequence[object]) -> str:
        counts = "".join(f" {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        return f"{name:{room}}{counts}".rstrip()

    stacked = list(zip_longest(*(h.split()[::-1] for h in headings), fillvalue=""))
    for words in reversed(stacked):
        yield line(named if words is stacked[0] else "", words)
    for name, counts in rows:
        if len(name) > room:
            yield name
        yield line(name if len(name) <= room else "", counts)
    if rows:
        sums = zip(*(counts for _, counts in rows), strict=True)
        yield line("all", [sum(column) for column in sums])
