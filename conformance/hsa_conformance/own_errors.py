"""Errors that are no finding about a library, but an adapter's own, or the suite's: in one line."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from hsa_adapters import AdapterError

#: How the message of a clause that was judged begins, and that of an error of an adapter.
_JUDGED: Final = f"{pytest.fail.Exception.__name__}: "
_ADAPTER: Final = f"{AdapterError.__module__}.{AdapterError.__qualname__}: "

#: What is added to a line of which there is more.
MORE: Final = "; --traceback shows how it came to that"


def line(error: BaseException) -> str:
    """Return what was raised, with the file and line it was raised in, on one line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return _one_line(f"{type(error).__name__}: {error}") + place


def message(text: str, error: BaseException | None, *, tracebacks: bool) -> str:
    """Return a line, followed by the traceback of what caused it where that is asked for.

    Args:
        text: the line.
        error: what caused it, if anything did.
        tracebacks: whether tracebacks are asked for.

    """
    if error is None or not tracebacks:
        return text
    return f"{text}\n{''.join(traceback.format_exception(error)).rstrip()}"


@dataclass(frozen=True)
class OwnError:
    """What a test raised that is no finding.

    Attributes:
        whose: "the adapter" or "the suite".
        text: what was raised, on one line.

    """

    whose: str
    text: str


def failed(report: pytest.TestReport) -> OwnError | None:
    """Return what a test raised; None where it failed as a clause does."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None or crash.message.startswith(_JUDGED):
        return None
    # What follows the first line may be Hypothesis's notes.
    message = _one_line(crash.message.partition("\n")[0])
    if message.startswith(_ADAPTER):
        return OwnError("the adapter", message.removeprefix(_ADAPTER))
    place = f"{Path(crash.path).name}:{crash.lineno}"
    return OwnError("the suite", f"the suite itself is broken: {message} ({place}){MORE}")


def clause_of(report: pytest.TestReport) -> str:
    """Return the clause that a test is about, or the name of the test."""
    return report.nodeid.partition("[")[2].removesuffix("]") or report.nodeid


def _one_line(text: str) -> str:
    return " ".join(text.split())
