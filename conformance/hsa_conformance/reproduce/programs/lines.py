"""Lays out the lines of a program that may get too long."""

from __future__ import annotations

import textwrap

from hsa_conformance.reproduce.plans.plan import Move
from hsa_reports.text import one_line

_WIDTH = 96


def wrapped(head: str, parts: list[str], tail: str) -> str:
    """Return a list on one line, or on several where it is long."""
    whole = head + ", ".join(parts) + tail
    if len(whole) < _WIDTH - 32:
        return whole
    lines, line = [head], ""
    for part in [*(f"{part}," for part in parts[:-1]), f"{parts[-1]}{tail}"]:
        if line and len(line) + len(part) > _WIDTH - 12:
            lines.append(line)
            line = ""
        line = f"{line} {part}" if line else part
    return "\n        ".join([*lines, line])


def words(move: Move) -> list[str]:
    """Return the words of a step in lines."""
    told = f"{move.number}. {move.step.call} -> {move.step.result}"
    return textwrap.wrap(one_line(told, 2000), _WIDTH - 8, break_on_hyphens=False)
