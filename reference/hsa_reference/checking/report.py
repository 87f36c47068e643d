"""Mistakes as text: one block for each, and each once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap

from hsa_reference.checking.ledger import Site, TrackedObject
from hsa_reference.checking.lifetimes import noun
from hsa_spec import Clause, Function
from hsa_spec.sentences import sentence

PREFIX = "hsa-check: "
_WIDTH = 96
_STDERR = 2


@dataclass(frozen=True)
class Mistake:
    """Something that a client did wrong.

    Attributes:
        site: the call.
        what: the mistake in a few words, of which the first, up to a colon, name its sort.
        clauses: what it goes against.
        possible: what it may go against, where that cannot be told.
        arguments: those of the call, by name.
        things: the objects that it is about.

    """

    site: Site
    what: str
    clauses: tuple[Clause, ...] = ()
    possible: tuple[Clause, ...] = ()
    arguments: tuple[str, ...] = ()
    things: tuple[TrackedObject, ...] = field(default=())

    def lines(self) -> Iterator[str]:
        """Yield the block."""
        yield f"{PREFIX}{self.site.function}: {self.what}"
        for clause in self.clauses[:3]:
            yield from _clause("clause", clause)
        for clause in self.possible[:3]:
            yield from _clause("perhaps", clause)
        if self.arguments:
            yield f"  arguments: {', '.join(self.arguments)}"
        yield from _stack("called at", self.site)
        for thing in self.things:
            yield from _stack(f"made by {thing.creation.function} at", thing.creation)
            if thing.release is not None:
                yield from _stack(f"given back by {thing.release.function} at", thing.release)


class Report:
    """Says mistakes on stderr, each once for each place in the client.

    Args:
        write: takes a block; by default it goes to stderr in one piece.

    """

    def __init__(self, write: Callable[[str], None] | None = None) -> None:
        self._write = write or _to_stderr
        self._counts: dict[tuple[str, str, Site], int] = {}
        self._messages: dict[tuple[str, str, Site], str] = {}
        self._process = os.getpid()
        self._lock = threading.Lock()

    def say(self, mistake: Mistake) -> None:
        """Say a mistake, or count it if it was said."""
        key = mistake.site.function, mistake.what.partition(":")[0], mistake.site
        with self._lock:
            self._look_for_fork()
            count = self._counts[key] = self._counts.get(key, 0) + 1
            if count > 1:
                return
            self._messages[key] = mistake.what
        self._write("\n".join(mistake.lines()) + "\n")

    def defect(self, function: str, error: Exception) -> None:
        """Say that a check itself went wrong, which no client is to blame for."""
        self._write(
            f"{PREFIX}{function}: the check failed ({type(error).__name__}: {error}): "
            "this is a defect of the checks, please report it\n"
        )

    def _look_for_fork(self) -> None:
        """Count from the start in a child: its parent says what was counted before."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._counts.clear()

    def end(self) -> None:
        """Say how often mistakes were made that were said once."""
        with self._lock:
            self._look_for_fork()
            again = {key: count for key, count in self._counts.items() if count > 1}
            self._counts.clear()
        for key, count in again.items():
            self._write(f"{PREFIX}{key[0]}: {count} times in all: {self._messages[key]}\n")


def arguments(function: Function, values: Iterable[int]) -> tuple[str, ...]:
    """Return the arguments of a call as text, by name."""
    return tuple(
        f"{p.name} = {_value(p.type, v)}" for p, v in zip(function.params, values, strict=False)
    )


def named(thing: TrackedObject) -> str:
    """Return an object in words."""
    size = f" of {thing.size} bytes" if thing.size else ""
    return f"the {noun(thing.kind)}{size} {thing.key:#x}"


def _value(ctype: str, value: int) -> str:
    if value == 0 and ("*" in ctype or ctype.startswith("callback:")):
        return "NULL"
    plain = ctype in {"size_t", "int", "uint16_t", "uint32_t", "int64_t", "hsa_signal_value_t"}
    return str(value) if plain or abs(value) < 10 else f"{value:#x}"


def _clause(title: str, clause: Clause) -> Iterator[str]:
    text = f"{title}: {clause.id}: {sentence(clause) or clause.states} ({clause.source})"
    yield from wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="    ")


def _stack(title: str, site: Site) -> Iterator[str]:
    frames = list(site.stack.frames())
    yield f"  {title}:" if frames else f"  {title}: (no frame is known)"
    for number, frame in enumerate(frames[:16]):
        yield f"    #{number} {frame}"


def _to_stderr(text: str) -> None:
    os.write(_STDERR, text.encode(errors="replace"))
