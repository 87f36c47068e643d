"""A campaign: its options, the seed of its draw, and the report of each mistake as it is judged."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.wrong.fates import Fate, table, write

#: What the option of campaigns and of their tests does.
KEEPS: Final = "add a line of JSON for each mistake, for `python -m tests.wrong compare`"


def seeded(parser: argparse.ArgumentParser) -> None:
    """Add the option that says by which seed mistakes are drawn."""
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=secrets.randbelow(10**6),
        help="of the draw (default: by chance)",
    )


def kept(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where the fate of each mistake goes."""
    parser.add_argument(
        "--fates",
        metavar="FILE",
        type=Path,
        help=KEEPS,
    )


def report(fates: Iterable[Fate], path: Path | None) -> list[Fate]:
    """Print each fate as soon as it is known, then the table; return all fates.

    Args:
        fates: of the mistakes, one after the other.
        path: the file to which each is added; None for none.

    """
    known = []
    for fate in fates:
        known.append(fate)
        print(fate, flush=True)
        if path:
            write(fate, path)
    print("", *table(known), sep="\n")
    return known
