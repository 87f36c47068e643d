"""What a run tested, and how, as labels and text."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from hsa_reports.durations import in_words
from hsa_reports.run import Run
from hsa_reports.subject import Subject


def facts(run: Run) -> Mapping[str, str]:
    """Return what was tested, and how, as label and text."""
    started, subject = run.started, run.started.subject
    found = f" (from {subject.release_from})" if subject.release_from else ""
    held_to = "must and should clauses" if started.strict else "must clauses"
    listed = {
        "Library": subject.path or "in process, no file",
        "Implementation": f"{subject.implementation}, through the adapter {subject.adapter}",
        "Release": f"{subject.release or 'not found'}{found}",
        "Build id": subject.build_id or "none",
        "Device node": _device_node(subject),
        "Imitated": subject.imitation or "nothing",
        "Suite": f"version {started.suite_version}, registry {started.registry_digest}",
        "Profile": f"{started.profile}, held to {held_to}, seed {seed(run)}",
        "Command": shlex.join(started.command),
        "Started": started.started.isoformat(sep=" ", timespec="seconds"),
        "Finished": run.end.finished.isoformat(sep=" ", timespec="seconds")
        if run.end
        else "never: the run was cut short",
        "Time": in_words(run),
    }
    return listed | {f"Host: {name}": text for name, text in subject.host.items()}


def _device_node(subject: Subject) -> str:
    if subject.imitation:
        return "imitated"
    return "in sight" if subject.device else "none in sight"


def seed(run: Run) -> str:
    """Return the seed of the examples."""
    return "chosen by the run" if run.started.seed is None else str(run.started.seed)
