"""The table of patterns, and what each finds in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from tests.unit.language.texts import Text

TABLE = Path(__file__).with_name("patterns.yaml")
#: How many characters around a finding are shown.
AROUND = 30


@dataclass(frozen=True)
class Pattern:
    """Words that are not plain English.

    Attributes:
        name: its name in lists.
        pattern: a regular expression.
        reason: why not, or which words are better.
        instead_of: a sentence that it finds.
        write: the same in plain English.

    """

    name: str
    pattern: str
    reason: str
    instead_of: str
    write: str


@dataclass(frozen=True)
class Finding:
    """A place where a pattern was found.

    Attributes:
        pattern: the pattern.
        text: the text that has it.
        excerpt: the words, with some around them.

    """

    pattern: Pattern
    text: Text
    excerpt: str

    def __str__(self) -> str:
        """Return a line that says where, which words, and the better ones."""
        return (
            f"{self.text.place}:{self.text.line}: {self.pattern.name}: ...{self.excerpt}... "
            f"({self.pattern.reason} {self.pattern.instead_of!r} -> {self.pattern.write!r})"
        )


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the patterns of the table."""
    return tuple(Pattern(**row) for row in yaml.safe_load(TABLE.read_text(encoding="utf-8")))


def findings(texts: Iterable[Text]) -> Iterator[Finding]:
    """Yield each finding of each pattern in the texts."""
    expressions = [(pattern, re.compile(pattern.pattern)) for pattern in patterns()]
    for text in texts:
        for pattern, expression in expressions:
            for found in expression.finditer(text.words):
                start, end = max(0, found.start() - AROUND), found.end() + AROUND
                yield Finding(pattern, text, text.words[start:end])
