"""Reads an HTML page, and opens one in a real browser without a window."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

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


BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=3000",
)

WIDTHS_WHEN_NARROW = """
const frame = document.createElement("iframe");
frame.style.width = "480px";
frame.onload = () => {
  const inside = frame.contentDocument.documentElement;
  document.title = `${inside.clientWidth} ${inside.scrollWidth}`;
};
frame.srcdoc = document.documentElement.outerHTML.replaceAll("script", "template");
document.body.append(frame);
"""
"""A script that makes the title the widths of a window of 480 pixels and of what is in it."""


def document_of(page: str, folder: Path, *, anchor: str = "", script: str = "") -> str:
    """Return the document that a browser has made of a page after its scripts ran."""
    path = folder / "page.html"
    path.write_text(page.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    profile = f"--user-data-dir={folder / 'profile'}"
    assert BROWSER is not None
    command = [BROWSER, *ARGUMENTS, profile, "--dump-dom", f"{path.as_uri()}{anchor}"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    return done.stdout.decode("utf-8")
