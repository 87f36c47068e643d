"""Text made fit to show: no control characters, no surrogates, no endless lines."""

from __future__ import annotations

import re
import shutil
import textwrap

LIMIT = 8000
"""How many characters of one text a report shows."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def scrubbed(text: str) -> str:
    """Return the text with halves of surrogate pairs, which UTF-8 cannot hold, replaced."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def visible(text: str, limit: int = LIMIT) -> str:
    r"""Return the text with control characters shown as `\x1b`, and clipped.

    Line breaks and tabs stay; characters that turn the direction of writing count as control
    characters, since they can make a text look like another.

    Args:
        text: any text.
        limit: how many characters to keep; a note says how many were left out.

    """
    kept = text.replace("\r\n", "\n")
    left_out = len(kept) - limit
    shown = _UNPRINTABLE.sub(_escape, scrubbed(kept[:limit]))
    return f"{shown} … ({left_out:,} more characters)" if left_out > 0 else shown


def one_line(text: str, limit: int = 300) -> str:
    """Return the text as `visible`, on one line."""
    return " ".join(visible(text, limit).split())


def columns() -> int:
    """Return how wide a line may be: as the terminal is, or 80 where output goes elsewhere."""
    return shutil.get_terminal_size().columns


def wrapped(text: str, width: int | None = None) -> str:
    """Return a line, broken between words where it is too long, with the rest further in.

    Words are never broken, so that a path, a clause or a name stays one to search for.

    Args:
        text: one line; blanks at its beginning stay.
        width: how wide a line may be; by default `columns()`.

    """
    indent = " " * (len(text) - len(text.lstrip(" ")))
    lines = textwrap.wrap(
        text,
        max(width or columns(), 20),
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def for_xml(text: str, limit: int = LIMIT) -> str:
    """Return the text without the characters that an XML 1.0 document should not hold, clipped."""
    left_out = len(text) - limit
    kept = _NOT_XML.sub("", text[:limit])
    return f"{kept} ... ({left_out} more characters)" if left_out > 0 else kept


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
