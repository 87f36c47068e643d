"""Defects as data, and the places that a seed draws for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, product
from pathlib import Path
from random import Random
from typing import Any

import yaml

from tests.wrong.drawing import draw
from tests.wrong.edits import Edit
from tests.wrong.fates import Mistake

HERE = Path(__file__).parent
#: Where a defect can be: a real library, or a source of the project. The runtime in C is also
#: judged on the imitated driver, which can refuse it a thread.
ROCR, THIRD_PARTY, REFUSED, REFERENCE = "rocr", "third-party", "third-party refused", "reference"


@dataclass(frozen=True)
class Defect:
    """A defect at a place.

    Args:
        kind: what is wrong.
        of: one of ROCR, THIRD_PARTY, REFUSED and REFERENCE.
        blame: the functions of which it is right to say that they fail.
        beside: functions that are judged with them and are right.
        file: the C file in `wrapper/` that has it; "" where it is edits.
        place: macros of that file, and what they are here.
        edits: of a source, instead.

    """

    kind: str
    of: str
    blame: frozenset[str]
    beside: frozenset[str] = frozenset()
    file: str = ""
    place: Mapping[str, Any] = field(default_factory=dict)
    edits: tuple[Edit, ...] = ()

    @property
    def judged(self) -> frozenset[str]:
        """Return the functions by whose clauses it is judged."""
        return self.blame | self.beside

    @property
    def mistake(self) -> Mistake:
        """Return it as campaigns know it: a defect is of a kind of library."""
        return Mistake("planted", self.of, f"{self}", self.blame)

    def __str__(self) -> str:
        """Return the kind and the place in words."""
        words = [f"{name}={_short(value)}" for name, value in self.place.items()]
        return f"{self.of}: {self.kind}{': ' * bool(words)}{' '.join(words)}"


def kinds() -> Sequence[Mapping[str, Any]]:
    """Return the rows of `defects.yaml`."""
    rows: Sequence[Mapping[str, Any]] = yaml.safe_load((HERE / "defects.yaml").read_text("utf-8"))
    return rows


def edits() -> list[Defect]:
    """Return the defects of `edits.yaml`."""
    rows = yaml.safe_load((HERE / "edits.yaml").read_text("utf-8"))
    return [
        Defect(
            row["kind"],
            row["of"],
            frozenset(row["blame"]),
            edits=tuple(map(Edit.read, row["edits"])),
        )
        for row in rows
    ]


def draw_defects(seed: int) -> list[Defect]:
    """Return the defects of a seed: some places of each kind, and each edit.

    The same seed draws the same defects.
    """
    random = Random(seed)
    return [*(defect for row in kinds() for defect in _some(row, random)), *edits()]


def every() -> Iterator[Defect]:
    """Yield each kind at each of its places, with the first of what else is drawn there."""
    for row in kinds():
        for _, places in groupby(_places(row), _first):
            yield _at(row, next(places), [])


def _places(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what can be drawn of a kind."""
    options = [[(name, value) for value in row["draw"][name]] for name in row.get("draw", ())]
    return [dict(place) for place in product(*options)]


def _first(place: Mapping[str, Any]) -> str:
    """Return the first value that was drawn, as text."""
    return f"{next(iter(place.values()), '')}"


def _some(row: Mapping[str, Any], random: Random) -> Iterator[Defect]:
    """Yield a kind at as many places as it takes, the first value another one each time."""
    chosen = draw(_places(row), lambda place: (row["kind"], _first(place)), random)
    firsts: Sequence[Any] = next(iter(row.get("draw", {}).values()), [])
    others = [f for value in firsts for f in _functions(value)]
    for place in islice(chosen, row.get("take", 1)):
        yield _at(row, place, random.sample(others, min(2, len(others))))


def _at(row: Mapping[str, Any], chosen: Mapping[str, Any], beside: Sequence[str]) -> Defect:
    place: dict[str, Any] = {}
    for name, value in chosen.items():
        place |= value if isinstance(value, dict) else {name: value}
    blame = frozenset(f for word in row["blame"] for f in _named(word, place))
    return Defect(row["kind"], ROCR, blame, frozenset(beside) - blame, row["file"], place)


def _named(word: str, place: Mapping[str, Any]) -> Iterator[str]:
    """Yield the functions that a word of `blame` stands for: one, or the value of a macro."""
    if word.startswith("hsa_"):
        yield word
    else:
        yield from _functions(place.get(word, []))


def _functions(value: Any) -> Iterator[str]:
    """Yield the names of functions in a drawn value."""
    match value:
        case str() if value.startswith("hsa_") and value.isidentifier():
            yield value
        case dict():
            for each in value.values():
                yield from _functions(each)
        case list():
            for each in value:
                yield from _functions(each)


def _short(value: Any) -> str:
    text = "+".join(name for name, _ in value) if isinstance(value, list) else f"{value}"
    return text if len(text) < 60 else f"{text[:57]}..."
