"""The findings that are left: a count for each place and pattern, which may only go down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.unit.language.patterns import Finding

LIST = Path(__file__).with_name("allowed.txt")

#: Place and name of a pattern.
Key = tuple[str, str]


def counted(findings: Iterable[Finding]) -> Counter[Key]:
    """Return how many findings each place has of each pattern."""
    return Counter((finding.text.place, finding.pattern.name) for finding in findings)


def read() -> Counter[Key]:
    """Return the counts of the list."""
    rows = (line.split(maxsplit=2) for line in LIST.read_text(encoding="utf-8").splitlines())
    return Counter({(place, name): int(count) for count, name, place in rows})


def shortened(allowed: Mapping[Key, int], found: Mapping[Key, int]) -> Counter[Key]:
    """Return the counts without those that are gone: lower where there is less, never higher."""
    return Counter({key: min(count, found[key]) for key, count in allowed.items() if found[key]})


def as_text(counts: Mapping[Key, int]) -> str:
    """Return the list as its file has it."""
    return "".join(f"{count} {name} {place}\n" for (place, name), count in sorted(counts.items()))
