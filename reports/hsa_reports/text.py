"""Text from a library, made fit to show: no control characters, no surrogates, no endless lines."""

from __future__ import annotations

import re

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


def for_xml(text: str, limit: int = LIMIT) -> str:
    """Return the text without the characters that an XML 1.0 document should not hold, clipped."""
    left_out = len(text) - limit
    kept = _NOT_XML.sub("", text[:limit])
    return f"{kept} ... ({left_out} more characters)" if left_out > 0 else kept


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
