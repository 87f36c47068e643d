"""Joins runs that share a selection into one, as if one run had judged it all."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from hsa_conformance.baselines import Baseline, BaselineError, KnownFailures, read_baseline
from hsa_conformance.baselines.earlier import earlier
from hsa_conformance.configurations import Configuration
from hsa_conformance.engine.running.runner import Runner
from hsa_conformance.runs.absent_failures import absent_failures
from hsa_conformance.runs.compatibility import differences, named
from hsa_conformance.runs.exit_status import Tally
from hsa_conformance.runs.journal import outcome
from hsa_conformance.runs.losses import losses
from hsa_conformance.runs.platforms import Platform
from hsa_conformance.subjects import Options, plan
from hsa_reports import (
    STARTS,
    Event,
    Judged,
    Notice,
    Result,
    RunEnded,
    RunStarted,
    Verdict,
    read_events,
    worst,
)
from hsa_reports.counting import clause_count
from hsa_spec import Registry
from hsa_spec.releases import Release


class MergeError(Exception):
    """Runs cannot be joined; the message says why, and what to do."""


@dataclass(frozen=True)
class Piece:
    """One of the runs, by clause.

    Attributes:
        name: what messages call it.
        started: how it began.
        said: what it said of itself, and why clauses were not judged.
        groups: what was found with each clause that was judged, in the order in which it was.
        end: the end of it, None where it was cut short.

    """

    name: str
    started: RunStarted
    said: tuple[Notice, ...]
    groups: Mapping[str, tuple[Event, ...]]
    end: RunEnded | None

    @property
    def number(self) -> int | None:
        """Return which shard it is."""
        return self.started.shard.number if self.started.shard else None


def read_piece(source: Path) -> Piece:
    """Return one of the runs.

    Raises:
        EventFileError: it cannot be read.

    """
    started, *events = read_events(source)
    assert isinstance(started, RunStarted)
    groups: dict[str, tuple[Event, ...]] = {}
    said: list[Notice] = []
    group: list[Event] = []
    for event in events:
        if isinstance(event, Notice) and (event.clause or not group):
            said.append(event)
        elif isinstance(event, Judged):
            groups[event.clause] = (*group, event)
            group = []
        else:
            group.append(event)
    end = events[-1] if events and isinstance(events[-1], RunEnded) else None
    return Piece(str(source), started, tuple(said), groups, end)


@dataclass
class MergedRun:
    """What the runs are together.

    Attributes:
        started: how the run began that they stand for.
        events: what came after that.
        status: the exit status of the run.

    """

    started: RunStarted
    events: list[Event] = field(default_factory=list)
    status: int = 0


def merge(pieces: Sequence[Piece], registry: Registry, *, partial: bool = False) -> MergedRun:
    """Return what the runs are together.

    Args:
        pieces: the runs.
        registry: the specification that they judged by.
        partial: whether clauses that none of them judged may be left out.

    Raises:
        MergeError: they are no parts of one run, contradict each other, or leave clauses out.

    """
    first = min(pieces, key=lambda piece: piece.started.started)
    _check_same(first, pieces, registry)
    groups = _joined(pieces)
    order = {clause: number for number, clause in enumerate(registry.clauses)}
    selected = tuple(sorted(first.started.selected, key=order.__getitem__))
    missing = _missing(pieces, groups)
    if missing and not partial:
        advice = "resume them, name all of them, or leave clauses NOT_RUN with --partial"
        raise MergeError(f"{'; '.join(missing)}; {advice}")
    command = _without_shard(first.started.command)
    merged = MergedRun(replace(first.started, command=command, clauses=selected, shard=None))
    said = dict.fromkeys(n for piece in pieces for n in piece.said if n.clause not in groups)
    merged.events += [*said, *(Notice(f"Merged without all of it: {m}.") for m in missing)]
    merged.events += _hosts(pieces)
    starts: set[tuple[object, ...]] = set()
    for clause in sorted(groups, key=order.__getitem__):
        for event in groups[clause]:
            if isinstance(event, Result) and event.check == STARTS:
                # The same may have shown at the start of each of them.
                if (key := outcome(event)) in starts:
                    continue
                starts.add(key)
            merged.events.append(event)
    _end(merged, pieces, registry)
    return merged


def _check_same(first: Piece, pieces: Sequence[Piece], registry: Registry) -> None:
    for piece in pieces:
        if others := list(differences(first.started, piece.started)):
            problem = f"{piece.name} is no part of the same run as {first.name}"
            raise MergeError(f"{problem}: {'; '.join(others)}")
        shards = (piece.started.shard, first.started.shard)
        if all(shards) and len({shard.of for shard in shards if shard}) > 1:
            raise MergeError(f"{piece.name} and {first.name} are shards of different divisions")
    if first.started.registry_digest != registry.digest:
        raise MergeError(
            "the runs were judged by another specification than the one of this version; merge "
            f"them where they were made, with suite version {first.started.suite_version}"
        )


def _joined(pieces: Sequence[Piece]) -> dict[str, tuple[Event, ...]]:
    """Return what was found with each clause.

    Raises:
        MergeError: two of them found different things.

    """
    groups: dict[str, tuple[Event, ...]] = {}
    by: dict[str, Piece] = {}
    for piece in pieces:
        for clause, group in piece.groups.items():
            known = groups.setdefault(clause, group)
            one, other = _verdict(clause, known), _verdict(clause, group)
            if one is not other:
                places = f"{one} in {by[clause].name} and {other} in {piece.name}"
                raise MergeError(f"{clause} is {places}: leave one of them out")
            by.setdefault(clause, piece)
    return groups


def _verdict(clause: str, group: Sequence[Event]) -> Verdict:
    return worst(e.verdict for e in group if isinstance(e, Result) and e.clause == clause)


def _missing(pieces: Sequence[Piece], groups: Mapping[str, object]) -> list[str]:
    """Return what was to be judged and was not; what a run left that came to its end is its own."""
    missing: list[str] = []
    whole = {piece.number for piece in pieces if piece.end is not None}
    for piece in {piece.number: piece for piece in pieces}.values():
        left = [clause for clause in piece.started.clauses if clause not in groups]
        if left and piece.number not in whole:
            missing.append(f"{piece.name} was cut short, and {clause_count(len(left))} were left")
    shard = pieces[0].started.shard
    if shard is not None and None not in {piece.number for piece in pieces}:
        lacking = sorted(
            {*range(1, shard.of + 1)} - {piece.number for piece in pieces if piece.number}
        )
        if lacking:
            names = ", ".join(f"{number}/{shard.of}" for number in lacking)
            missing.append(f"no run of shard {names}")
    return missing


def _hosts(pieces: Sequence[Piece]) -> Iterator[Notice]:
    hosts = dict.fromkeys(", ".join(p.started.subject.host.values()) for p in pieces)
    if len(hosts) > 1:
        yield Notice(f"Its parts were judged on different hosts: {'; '.join(hosts)}.")


def _without_shard(command: Sequence[str]) -> tuple[str, ...]:
    words = list(command)
    while "--shard" in words:
        at = words.index("--shard")
        del words[at : at + 2]
    return tuple(w for w in words if not w.startswith("--shard=") and w != "--resume")


def _end(merged: MergedRun, pieces: Sequence[Piece], registry: Registry) -> None:
    """Say what is known to fail and did not, and how it all ends."""
    judged = [e for e in merged.events if isinstance(e, Judged)]
    tally = Tally(
        merged.started.strict,
        results=[e for e in merged.events if isinstance(e, Result)],
        strays={stray for each in judged for stray in each.strays},
        initialised=any(each.initialised for each in judged),
        collected={*merged.started.clauses},
    )
    baseline, known = _known(merged.started, registry)
    reached = tally.collected.intersection(r.clause for r in tally.results)
    for event in absent_failures(known, tally.results, registry, reached):
        if event not in merged.events:
            merged.events.append(event)
        if isinstance(event, Result):
            tally.results.append(event)
    lost = losses(baseline, merged.started.subject.machines, tally.results)
    end = tally.end(known[0][1], excused=merged.started.without_device, lost=lost)
    finished = max((p.end.finished for p in pieces if p.end), default=datetime.now(UTC))
    merged.events.append(RunEnded(finished, end.status, tally.initialised, end.why))
    merged.status = end.status


def _known(
    started: RunStarted, registry: Registry
) -> tuple[Baseline | None, list[tuple[Platform, KnownFailures | None]]]:
    """Return the baseline of the run, and its configurations with what is known to fail there."""
    options = started.options
    words = shlex.split(options.get("env", ""))
    environment = dict(word.split("=", 1) for word in words)
    baseline: Baseline | None = None
    try:
        machine = named(options["virtual-kfd"]) if "virtual-kfd" in options else None
        if "baseline" in options:
            baseline = read_baseline(named(options["baseline"]), registry)
        if "against" in options:
            baseline = earlier(Path(named(options["against"])), registry)
    except (FileNotFoundError, BaselineError) as error:
        raise MergeError(f"{error}; merge where the files of the runs are") from None
    release = Release.parse(started.subject.rocm)
    platforms = [
        Platform(configuration, _not_started, baseline, further=number > 0)
        for number, configuration in enumerate(
            plan(Options(virtual_kfd=machine, environment=environment))
        )
    ]
    return baseline, [(platform, platform.expected_of(release)) for platform in platforms]


def _not_started(_: Configuration) -> Runner:
    raise AssertionError("what is known of a library takes no library")
