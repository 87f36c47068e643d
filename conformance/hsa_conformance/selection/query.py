"""The language of `--select`: names, and what is asked about clauses, joined by words.

    query:  all ("or" all)*
    all:    one ("and" one)*
    one:    "not" one | "(" query ")" | KEY ":" VALUE | NAME

A value with spaces or parentheses stands in double quotes; between brackets, as in
`hsa_init/success[before=another call]`, they need none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

JOINING: Final = ("and", "or")
_TOKEN: Final = re.compile(r'\s*([()]|(?:[^\s()"\[]|"[^"]*"|\[[^]]*\])+)')

#: Returns the ids of what a key and its value, or a name without a key, stand for.
Meaning = Callable[[str | None, str], frozenset[str]]


class QueryError(Exception):
    """A query cannot be understood; the message says where, and what may stand there."""


@dataclass(frozen=True)
class _Token:
    text: str
    position: int

    def __str__(self) -> str:
        return repr(self.text) if self.text else "the end"


def answer(query: str, everything: frozenset[str], keys: Sequence[str], mean: Meaning) -> set[str]:
    """Return the ids of the clauses that a query is about.

    Args:
        query: its text.
        everything: the ids of all clauses.
        keys: what may stand before a colon.
        mean: what a key and a value, or a name, stand for; it raises QueryError.

    Raises:
        QueryError: it cannot be understood.

    """
    return _Reader(query, everything, keys, mean).all()


class _Reader:
    def __init__(
        self, query: str, everything: frozenset[str], keys: Sequence[str], mean: Meaning
    ) -> None:
        self.query = query
        self.everything = everything
        self.keys = keys
        self.mean = mean
        self.tokens = _tokens(query)

    def all(self) -> set[str]:
        found = self._either()
        if self._next().text:
            raise self._unexpected('"and", "or" or the end')
        return found

    def _next(self) -> _Token:
        return self.tokens[0]

    def _take(self, text: str) -> bool:
        if self._next().text != text:
            return False
        del self.tokens[0]
        return True

    def _either(self) -> set[str]:
        found = self._both()
        while self._take("or"):
            found = found | self._both()
        return found

    def _both(self) -> set[str]:
        found = self._one()
        while self._take("and"):
            found = found & self._one()
        return found

    def _one(self) -> set[str]:
        if self._take("not"):
            return set(self.everything) - self._one()
        if self._take("("):
            found = self._either()
            if not self._take(")"):
                raise self._unexpected('"and", "or" or ")"')
            return found
        token = self._next()
        if token.text in ("", ")", *JOINING):
            raise self._unexpected('a name, KEY:VALUE, "not" or "("')
        del self.tokens[0]
        return set(self._meaning(token))

    def _meaning(self, token: _Token) -> frozenset[str]:
        text = token.text.replace('"', "")
        key, colon, value = text.partition(":")
        if "[" in key:
            key, colon, value = text, "", ""  # a name; the colon belongs to the value of an axis
        if colon and key not in self.keys:
            problem = f"{key!r} is no key; there are {', '.join(self.keys)}"
            raise QueryError(self._at(token, problem))
        if colon and not value:
            raise QueryError(self._at(token, f"{key}: needs a value behind the colon"))
        try:
            return self.mean(key, value) if colon else self.mean(None, key)
        except QueryError as error:
            raise QueryError(self._at(token, str(error))) from None

    def _unexpected(self, allowed: str) -> QueryError:
        token = self._next()
        return QueryError(self._at(token, f"{token} stands where {allowed} may"))

    def _at(self, token: _Token, problem: str) -> str:
        # Of a single word everybody sees where it is.
        alone = token.text == self.query
        return problem if alone else f"{self.query!r}, at character {token.position + 1}: {problem}"


def _tokens(query: str) -> list[_Token]:
    """Return the words of a query, and an empty one for its end.

    Raises:
        QueryError: a quotation or a bracket does not end.

    """
    found: list[_Token] = []
    at = 0
    while query[at:].strip():
        match = _TOKEN.match(query, at)
        if match is None:
            opened = next(place for place in range(at, len(query)) if query[place] in '"[')
            what = "quotation" if query[opened] == '"' else "bracket"
            raise QueryError(f"{query!r}, at character {opened + 1}: the {what} does not end")
        found.append(_Token(match[1], match.start(1)))
        at = match.end()
    return [*found, _Token("", len(query))]
