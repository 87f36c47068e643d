"""What several machines showed alike, as one result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hsa_reports.result import Result, ValueResult


def folded(results: Iterable[Result]) -> list[Result]:
    """Return the results of one clause with those in one that are equal but for the machine.

    Args:
        results: of one clause; those of a run with one machine stay as they are.

    """
    groups: dict[object, list[Result]] = {}
    for number, result in enumerate(results):
        groups.setdefault(_alike(result) if result.machine else number, []).append(result)
    return [_one(group) for group in groups.values()]


def _alike(result: Result) -> tuple[object, ...]:
    """Return what two machines have to show alike."""
    found = (result.verdict, result.known, result.cause)
    return (result.check, *found, result.value, result.decided_by)


def _one(results: Sequence[Result]) -> Result:
    first, *others = results
    if not others:
        return first
    machines = [r.machine for r in others if r.machine]
    reason = first.reason
    if first.failure is not None:
        reason = f"{reason}; also on {', '.join(f'[{name}]' for name in machines)}"
    return replace(
        first.counting(results),
        reason=reason,
        contested=any(r.contested for r in results),
        values=_values(results),
        machine="; ".join([first.machine or "", *machines]),
    )


def _values(results: Sequence[Result]) -> tuple[ValueResult, ...]:
    """Return what came of each value, on a machine that it could be tried on if there is one."""
    found: dict[tuple[str, str], ValueResult] = {}
    for tried in (each for result in results for each in result.values):
        known = found.get((tried.axis, tried.value))
        if known is None or (tried.reached and not known.reached):
            found[tried.axis, tried.value] = tried
    return tuple(found.values())
