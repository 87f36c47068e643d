"""Divides a selection into parts that take about as long, in the same way on every machine."""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Mapping, Sequence

from hsa_conformance.selection.durations import durations
from hsa_reports import Shard

#: What any clause costs beside its calls, in milliseconds.
_EACH = 5

_WORDS = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


def shard_of(text: str) -> Shard:
    """Return the shard that a text such as "2/3" names; what the others judge is yet to be found.

    Raises:
        argparse.ArgumentTypeError: it names none.

    """
    found = _WORDS.fullmatch(text)
    number, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= of:
        raise argparse.ArgumentTypeError(f"{text!r} is no shard such as 1/3, 2/3 or 3/3")
    return Shard(number, of)


def divided(
    clauses: Sequence[str], of: int, known: Mapping[str, int] | None = None
) -> list[frozenset[str]]:
    """Return the ids of each part; together they are all, and none is in two parts.

    The longest clause that is left goes to the part that is the shortest so far. Nobody knows how
    long a new clause takes: its id decides.

    Args:
        clauses: the ids of what was selected.
        of: how many parts.
        known: the milliseconds that clauses take; by default those that come with the suite.

    """
    if known is None:
        known = {clause: found.whole for clause, found in durations().items()}
    parts: list[set[str]] = [set() for _ in range(of)]
    load = [0] * of
    for clause in sorted(clauses, key=lambda c: (c not in known, -known.get(c, 0), c)):
        if clause in known:
            shortest = min(range(of), key=lambda n: (load[n], len(parts[n]), n))
        else:
            shortest = int.from_bytes(hashlib.sha256(clause.encode()).digest()[:8]) % of
        parts[shortest].add(clause)
        load[shortest] += known.get(clause, 0) + _EACH
    return [frozenset(each) for each in parts]
