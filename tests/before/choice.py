"""Which of the tests that the changes reach are run: the nearest that fit into some seconds.

The seconds are those of earlier runs, so the choice is made before anything runs, and no clock ends
a test.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

#: The seconds of a test that was never run: about the mean of all.
UNKNOWN: Final = 0.1

_TEST: Final = re.compile(r"^def test_", re.MULTILINE)
_TOPIC: Final = re.compile(r"\[(\w+/\w+)")


@dataclass(frozen=True, order=True)
class Part:
    """The tests of a file whose first parameter is one topic, such as `amd/vmem`, or is none."""

    file: str
    topic: str = ""

    def __str__(self) -> str:
        return f"{self.file} [{self.topic}]" if self.topic else self.file


def part_of(test: str, topics: Collection[str]) -> Part:
    """Return the part that a test is in, by its id."""
    file, _, name = test.partition("::")
    parameter = _TOPIC.search(name)
    return Part(file, parameter[1] if parameter and parameter[1] in topics else "")


def parts(
    seconds: Mapping[str, float], texts: Mapping[str, str], topics: Collection[str]
) -> dict[Part, float]:
    """Return how many seconds each part of some files takes.

    Arguments:
        seconds: those of each test, by its id.
        texts: the files, and what is written in them; of one whose tests were never run, the
            tests are counted.
        topics: those of the registry.
    """
    sums = defaultdict[Part, float](float)
    for test, taken in seconds.items():
        part = part_of(test, topics)
        if part.file in texts:
            sums[part] += taken
    for file in texts.keys() - {part.file for part in sums}:
        sums[Part(file)] = UNKNOWN * len(_TEST.findall(texts[file]))
    return dict(sums)


def related(part: Part, changed: Collection[str]) -> bool:
    """Return whether a part has the topic of a changed file, or a file its name or folder's."""
    if part.topic:
        return any(f"/{part.topic}" in path for path in changed)
    words = set(PurePosixPath(part.file).stem.split("_"))
    names = {name for path in changed for name in (_name(path), PurePosixPath(path).parent.name)}
    return not words.isdisjoint(names)


def _name(path: str) -> str:
    return PurePosixPath(path).name.partition(".")[0]


def chosen(
    seconds: Mapping[Part, float],
    distances: Mapping[str, int],
    changed: Collection[str],
    budget: float,
) -> list[Part]:
    """Return the parts to run: the related ones first, then the nearest, of these the quickest.

    Arguments:
        seconds: those of each part that the changes reach.
        distances: by file, how many steps it is from the changes.
        changed: the changed files.
        budget: the seconds that they may take together; what does not fit is passed over.
    """

    def order(part: Part) -> tuple[bool, int, float]:
        return not related(part, changed), distances[part.file], seconds[part]

    taken = list[Part]()
    for part in sorted(seconds, key=order):
        if seconds[part] <= budget:
            budget -= seconds[part]
            taken.append(part)
    return taken
