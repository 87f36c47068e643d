"""What people should know before they believe a report."""

from __future__ import annotations

from hsa_reports.counting import clause_count, percent
from hsa_reports.obstacles import Obstacle, obstacles
from hsa_reports.run import Run
from hsa_reports.verdicts import JUDGED, OUTSIDE_PERCENTAGES
from hsa_spec import DecidedBy, Registry, Strength
from hsa_spec.deciding import decider_of_all

_BINDS_NOBODY = frozenset({Strength.UNDEFINED, Strength.OBSERVED})


def warnings(run: Run, registry: Registry) -> tuple[str, ...]:
    """Return what people should know before they believe the report, the run's notices included."""
    own = []
    if run.end is None:
        own.append("The run was cut short: clauses without a result are NOT_RUN.")
    elif run.end.exit_status not in ((0, 1) if run.failures else (0,)):
        own.append(f"The run ended with exit status {run.end.exit_status}: {run.end.summary}")
    if run.started.registry_digest != registry.digest:
        own.append(
            "The run was judged by another version of the registry than the one this report was "
            "made with: the words beside a clause may differ from the rule that judged it."
        )
    if run.started.subject.imitation is not None and run.verdicts:
        own.append(_on_imitation(run, run.started.subject.imitation, registry))
    return (*own, *map(_in_the_way, obstacles(run)), *run.notices)


def _in_the_way(obstacle: Obstacle) -> str:
    """Say of a function how many clauses wait for it, and why they do."""
    waiting = [
        f"{clause_count(number)} {'waits' if number == 1 else 'wait'}{part}"
        for number, part in ((len(obstacle.waiting), ""), (len(obstacle.partly), " in part"))
        if number
    ]
    found = "not selected" if obstacle.verdict is None else str(obstacle.verdict)
    cause = f", {obstacle.finding}" if obstacle.finding else ""
    return f"{' and '.join(waiting)} for {obstacle.function} ({found}{cause}): {obstacle.how}"


def _on_imitation(run: Run, imitation: str, registry: Registry) -> str:
    """Say how far a run without real devices reaches: what they decide is left out."""
    decided = [
        verdict
        for clause_id, verdict in run.verdicts.items()
        if verdict not in OUTSIDE_PERCENTAGES
        if (clause := registry.clauses.get(clause_id)) is not None
        if decider_of_all(registry, clause) is DecidedBy.RUNTIME
        and clause.strength not in _BINDS_NOBODY
    ]
    judged = sum(verdict in JUDGED for verdict in decided)
    part = f" ({percent(judged, len(decided))})" if decided else ""
    return (
        f"The machine is imitated ({imitation}): {judged} of {clause_count(len(decided))} that "
        f"apply, bind, and are the runtime's own to decide were judged{part}; "
        "the others say why not."
    )
