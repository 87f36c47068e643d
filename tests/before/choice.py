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

_TEST: Final = re.compile(r"^def (test_\w+)", re.MULTILINE)
_TOPIC: Final = re.compile(r"\[(\w+/\w+)")


@dataclass(frozen=True)
class Part:
    """The tests of a file that are run or left out together.

    Attributes:
        file: the file.
        topic: the topic of the registry that is their first parameter, such as `amd/vmem`; they
            may share what was judged of it.
        function: the function that they are, if that is none.
    """

    file: str
    topic: str = ""
    function: str = ""


def part_of(test: str, topics: Collection[str]) -> Part:
    """Return the part that a test is in, by its id."""
    file, _, name = test.partition("::")
    parameter = _TOPIC.search(name)
    if parameter and parameter[1] in topics:
        return Part(file, topic=parameter[1])
    return Part(file, function=name.partition("[")[0])


def parts(
    seconds: Mapping[str, float], texts: Mapping[str, str], topics: Collection[str]
) -> dict[Part, float]:
    """Return how many seconds each part of some files takes.

    Arguments:
        seconds: those of each test, by its id.
        texts: the files, and what is written in them.
        topics: those of the registry.
    """
    functions = {f"{file}::{name}" for file in texts for name in _TEST.findall(texts[file])}
    known = {test: taken for test, taken in seconds.items() if test.partition("[")[0] in functions}
    sums = defaultdict[Part, float](float)
    for test, taken in known.items():
        sums[part_of(test, topics)] += taken
    for test in functions - {test.partition("[")[0] for test in known}:
        sums[part_of(test, topics)] = UNKNOWN
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
