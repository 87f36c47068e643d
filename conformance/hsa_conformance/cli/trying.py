"""Tries the programs of unexpected failures when a run ends, so that reports say what they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hsa_conformance.cli.processes import programs_at_once

if TYPE_CHECKING:
    from hsa_reports import Explanation, ProgramRun, Result, Run
    from hsa_reports.rewriting import Key
    from hsa_spec import Registry

#: How many causes are tried, the heaviest, and for how many seconds in all.
MOST: Final = 8
TIMEOUT: Final = 30.0


def with_programs(
    run: Run, registry: Registry, explained: Mapping[str, Explanation], events: Path
) -> Run:
    """Return a run with what came of the shortest program of each unexpected cause, noted in it.

    Nothing is tried where all failures are expected, or where the run was cut short.

    Args:
        run: the run.
        registry: the specification.
        explained: what is known of causes, by id.
        events: its event file.

    """
    from hsa_reports import EventFileError
    from hsa_reports.rewriting import key_of, note_programs

    chosen = list(_unexpected(run, explained))[:MOST] if run.end else []
    if not chosen:
        return run
    programs: Mapping[Key, ProgramRun] = {}
    # Who wants to go now has the run without them; so does who cannot write them.
    with suppress(KeyboardInterrupt, EventFileError):
        programs = _tried(run, registry, chosen)
        note_programs(events, programs)
    return replace(run, results=tuple(_noted(r, programs.get(key_of(r))) for r in run.results))


def _unexpected(run: Run, explained: Mapping[str, Explanation]) -> Iterator[Result]:
    """Yield for each unexpected cause that was not tried the failure to begin with."""
    from hsa_reports import Verdict, causes_of

    for cause in causes_of(run, explained):
        news = tuple(r for r in cause.results if r.failure and r.verdict is not Verdict.XFAIL)
        if news and not any(r.failure and r.failure.ran for r in news):
            yield _first(replace(cause, results=news).example)


def _first(result: Result) -> Result:
    """Return a result on the first of the machines that it came about on."""
    machine = (result.machine or "").partition("; ")[0]
    return replace(result, machine=machine or None)


def _tried(run: Run, registry: Registry, chosen: list[Result]) -> Mapping[Key, ProgramRun]:
    from hsa_conformance.reproduce import NoTargetError, Offerer, Target
    from hsa_reports.rewriting import key_of

    try:
        target, reason = Target(run.started, seconds=TIMEOUT), ""
    except NoTargetError as error:
        target, reason = None, str(error)
    offerer = Offerer(run.started, registry, target, reason)

    def ran(result: Result) -> ProgramRun:
        assert result.failure is not None
        failure, machine = result.failure, result.machine
        return offerer.offer(result.clause, failure, machine, shortest=False).ran

    with ThreadPoolExecutor(programs_at_once()) as pool:
        return dict(zip(map(key_of, chosen), pool.map(ran, chosen), strict=True))


def _noted(result: Result, ran: ProgramRun | None) -> Result:
    if ran is None or result.failure is None:
        return result
    return replace(result, failure=replace(result.failure, ran=ran))
