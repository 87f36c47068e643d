"""What a run was asked to judge, in words."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_spec import Registry


def selection(run: Run, registry: Registry) -> str:
    """Return what was selected, as words like `set "amd/vmem" of suite version 1.0`.

    Where the implementation claims less than that, it says so.
    """
    whole = _selected(run, registry)
    claims = run.started.subject.claims
    subjects = {clause.partition("/")[0] for clause in run.started.clauses}
    functions = subjects - registry.rules.keys()
    if claims is None or functions <= set(claims):
        return whole
    claimed = len(functions & set(claims))
    claimed_functions = "function" if claimed == 1 else f"{claimed} functions"
    return f"the {claimed_functions} that it claims, of {len(functions)}, in {whole}"


def _selected(run: Run, registry: Registry) -> str:
    version = f"suite version {one_line(run.started.suite_version)}"
    selected = set(run.started.clauses)
    if narrowed := len(run.started.narrowed):
        some = f"{narrowed} of them with some values alone"
        return f"the set of {len(selected)} selected clauses, {some}, of {version}"
    if selected == set(registry.clauses):
        return f'set "all" of {version}'
    topics = whole_topics(selected, registry)
    if set().union(*topics.values()) == selected and topics:
        return f'set "{" + ".join(topics)}" of {version}'
    return f"the set of {len(selected)} selected clauses of {version}"


def whole_topics(selected: set[str], registry: Registry) -> Mapping[str, set[str]]:
    """Return the topics of which all clauses were selected, with these."""
    topics: dict[str, set[str]] = {}
    for clause in registry.clauses.values():
        topics.setdefault(registry.functions[clause.function].topic, set()).add(clause.id)
    return {topic: ids for topic, ids in topics.items() if ids <= selected}
