"""Reads an HTML page, and the data in one."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "br", "input", "img", "link", "wbr"}


class Page(HTMLParser):
    """The elements of a page; fails where elements are not closed as they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self._open.pop()

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def attributes(self, name: str) -> Iterator[str | None]:
        return (attrs[name] for _, attrs in self.elements if name in attrs)


def data_of(page: str) -> Any:
    """Return the data that the scripts of a run's page show."""
    [packed] = re.findall(r'<script id="data" type="[\w/-]+">([A-Za-z0-9+/=]+)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def without_data(page: str) -> str:
    """Return a run's page without its data."""
    return re.sub(r'(<script id="data"[^>]*>)[^<]+', r"\1", page)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in JSON, the names of members among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from texts_in(each)
