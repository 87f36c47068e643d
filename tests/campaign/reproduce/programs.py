"""What the tests of programs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_reports import Failure, Step
from hsa_reports.demands import Demand
from hsa_spec import Registry


class ProgramOutput(NamedTuple):
    """How a program ended, and the line that it printed."""

    status: int
    line: str


#: Builds a fake library.
Fake = Callable[..., Path]
#: Makes a program of a failure of a clause, in a language, and runs it with a library.
Show = Callable[[Failure, str, str, Path | str], ProgramOutput]

LANGUAGES = ("c", "python")
ABSENT, PRESENT, CANNOT_TELL = 0, 1, 77


@contextmanager
def sessions_of(library: Path, registry: Registry) -> Iterator[SessionPool]:
    """Lend a session pool over a library."""
    adapter = LibraryAdapter(library, registry)
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    yield pool
    pool.close()


def failure(session: Session, demand: Demand | None) -> Failure:
    """Return the session's steps as those of a failure, the last of which broke a demand."""
    steps = tuple(Step(s.process, s.call, s.result, s.action) for s in session.trace.steps)
    return Failure("it is wrong", steps, "got", (), None, None, None, "run again", demand)
