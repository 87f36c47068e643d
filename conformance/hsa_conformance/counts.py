"""Tables of counts."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table


def table(named: str, headings: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Table:
    """Return counts as a table, with their sums below.

    Args:
        named: what the first column names.
        headings: of the counts.
        rows: each with its name and its counts.

    """
    result = Table(box=None, pad_edge=False)
    result.add_column(named, no_wrap=True)
    for heading in headings:
        result.add_column(heading, justify="right")
    for name, counts in rows:
        result.add_row(name, *map(str, counts))
    if rows:
        sums = zip(*(counts for _, counts in rows), strict=True)
        result.add_row("all", *(str(sum(column)) for column in sums))
    return result
