"""What a run says before it judges: what is under test, and what has to be known of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version

import pytest

import hsa_reports
from hsa_conformance.baselines import Baseline
from hsa_conformance.runs import compatibility
from hsa_conformance.runs.platforms import Platform
from hsa_conformance.selection.selection import Selection
from hsa_reports.counting import clause_count
from hsa_reports.subject import virtual_kfd
from hsa_spec import Registry


def run_started(
    config: pytest.Config,
    registry: Registry,
    chosen: Selection,
    platforms: Sequence[Platform],
) -> hsa_reports.RunStarted:
    """Return the event that a run begins with; it starts the first platform.

    Args:
        config: the options.
        registry: the specification.
        chosen: what was selected.
        platforms: what it is judged on.

    """
    runner = platforms[0].runner
    subject = runner.subject
    shard = config.getoption("--hsa-shard")
    elsewhere = chosen.everything - chosen.ids
    others = tuple(c for c in registry.clauses if c in elsewhere)
    # Only the missing device excuses; a library that dies while it is initialised does not.
    expects_none = bool(config.getoption("--hsa-expect-no-device"))
    return hsa_reports.RunStarted(
        suite_version=version("hsa-conformance"),
        registry_digest=registry.digest,
        started=datetime.now(UTC),
        command=tuple(sys.argv),
        profile=str(config.getoption("--hsa-profile")),
        seed=config.getoption("--hsa-seed"),
        strict=bool(config.getoption("--hsa-strict")),
        subject=hsa_reports.Subject(
            adapter=subject.adapter,
            implementation=subject.implementation,
            path=subject.path,
            build_id=subject.build_id,
            release=str(runner.release),
            release_from=runner.release_from,
            host=dict(subject.host),
            device=subject.device,
            exports=tuple(sorted(subject.exports)),
            claims=None if subject.claims is None else tuple(sorted(subject.claims)),
            imitation=_imitation(config, platforms),
        ),
        clauses=tuple(c.id for c in chosen.clauses),
        options=compatibility.asked_for(config, subject.build_id),
        shard=shard and replace(shard, others=others),
        without_device=expects_none and runner.pool.without_device is not None,
        narrowed=tuple(sorted(chosen.values.keys() & chosen.ids)),
        unlisted=tuple(runner.unlisted()),
    )


def _imitation(config: pytest.Config, platforms: Sequence[Platform]) -> str | None:
    """Return what stands in for the driver and its devices; None where they are real."""
    if emulator := config.getoption("--hsa-emulated"):
        return f"emulator {emulator}"
    if platforms[0].runner.subject.machine is None:
        return None
    return virtual_kfd([platform.configuration.name for platform in platforms])


def notices(platforms: Sequence[Platform], baseline: Baseline | None) -> Iterator[str]:
    """Yield what a reader has to know of what is under test.

    Args:
        platforms: what clauses are judged on.
        baseline: the known failures, if there is a file of them.

    """
    first = platforms[0]
    runner = first.runner
    yield from runner.identity.notices
    if runner.obstacle is not None:
        yield f"The runtime could not be initialised: {runner.obstacle.reason}."
    for platform in platforms:
        if reason := platform.unknown_to(runner.release):
            yield f"Not judged on {platform.configuration.name}: {reason}."
    if baseline is not None:
        yield from _known_failures(baseline, first)


def _known_failures(baseline: Baseline, platform: Platform) -> Iterator[str]:
    """Yield where known failures are from, unless the baseline was made on the release."""
    if baseline.any_release:
        known = len({entry.clause for entry in baseline.entries})
        yield f"Held against {baseline.name}, where {clause_count(known)} failed."
        return
    expected, release = platform.expected, platform.runner.release
    made_on = f"The baseline {baseline.name} was made on {', '.join(baseline.releases)}"
    if expected is None:
        yield f"{made_on}: {release} runs without one."
    elif expected.older is not None:
        yield f"{made_on}: of {release} the failures of {expected.older} are expected."
