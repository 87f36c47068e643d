"""Baseline files that are made of runs, and changed by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.drafts import by_cause, drafts, shown
from hsa_conformance.baselines.reading import BaselineError, document, read_baseline
from hsa_conformance.baselines.updating.amendments import Amendment
from hsa_conformance.baselines.updating.edits import begun, edits
from hsa_conformance.baselines.updating.sheet import Sheet, written
from hsa_conformance.baselines.updating.update import Update
from hsa_conformance.baselines.witness import Witness
from hsa_reports import Run
from hsa_reports.transitions import Transition
from hsa_spec import Registry
from hsa_spec.releases import Release


def created(run: Run, registry: Registry, includes: str | None) -> str:
    """Return the text of a baseline with the failures of a run that nothing explained.

    Args:
        run: the run.
        registry: knows the clauses.
        includes: the baseline that explained the others, if there was one.

    """
    witness = Witness(run, registry)
    head = [f"includes: [{includes}]"] if includes else [f"implementation: {_implementation(run)}"]
    if witness.release:
        head.append(f'releases: ["{witness.release}"]')
    shared, alone = by_cause(witness, witness.unexpected)
    if shared:
        head.append(f"causes:\n{written(shared)}".rstrip("\n"))
    entries = written(drafts(witness, alone))
    return "\n".join([*head, f"entries:\n{entries}" if entries else "entries: []\n"])


def updated(path: Path, runs: Sequence[Run], registry: Registry) -> tuple[str, list[Amendment]]:
    """Return the text of a baseline as runs have it, and the changes.

    Args:
        path: the file.
        runs: what it is held against, one after the other.
        registry: knows the clauses.

    Raises:
        BaselineError: it cannot be read or used, or is written in a way that cannot be changed.

    """
    name = str(path)
    baseline = read_baseline(name, registry)
    text = path.read_text(encoding="utf-8")
    data = document(name, path)
    update = begun(baseline, data, registry)
    for run in runs:
        witness = Witness(run, registry)
        _demand_release(name, baseline, witness)
        update.take(witness)
    sheet = Sheet(name, text)
    for method, arguments in edits(update, data):
        getattr(sheet, method)(*arguments)
    changed = sheet.text if update.amendments else text
    _check(name, path, changed, update)
    return changed, update.amendments


def _demand_release(name: str, baseline: Baseline, witness: Witness) -> None:
    """Refuse to hold a baseline against a run of which nobody knows what it expects there.

    Raises:
        BaselineError: the baseline is of releases, and the run of none or of several.

    """
    if witness.release is None and not baseline.any_release:
        raise BaselineError(
            f"the baseline {name} is of releases of ROCm, and the run is of "
            f"{witness.run.started.subject.release or 'an unknown release'}: make it with --release"
        )


def _check(name: str, path: Path, text: str, update: Update) -> None:
    """Refuse to lose anything: the text has to say what was decided."""
    found = document(name, path, text)

    def listed(some: Iterable[dict[str, object]]) -> list[str]:
        return sorted(str(sorted(item.items())) for item in some)

    decided = {key: listed(d.data for d in drafts) for key, drafts in update.lists.items()}
    if any(listed(found.get(key) or ()) != items for key, items in decided.items()):
        raise BaselineError(
            f"the baseline {name} is written in a way that update cannot change; write each key of "
            "an entry on a line of its own"
        )


def _implementation(run: Run) -> str:
    subject = run.started.subject
    return "rocr" if subject.rocm else subject.implementation


def held(
    baseline: Baseline, run: Run, registry: Registry
) -> tuple[list[Amendment], Counter[Transition]]:
    """Return what a run shows to be otherwise than expected, and what became of how many entries.

    Entries whose clauses were not selected are only counted.

    Args:
        baseline: the known failures.
        run: what they are held against.
        registry: knows the clauses.

    Raises:
        BaselineError: the baseline is of releases, and the run is not of one.

    """
    witness = Witness(run, registry)
    _demand_release(baseline.name, baseline, witness)
    expected = baseline.expected(Release.parse(witness.release), *witness.names)
    found: list[Amendment] = []
    entries = expected.entries if expected else ()
    fates: Counter[Transition] = Counter()
    for entry in entries:
        fate = witness.fate(entry, entries)
        fates[fate.what] += 1
        lost = [*(f"with {v}" for v in fate.values), *(f"on {m}" for m in fate.machines)]
        left_out = entry.clause not in witness.selected
        if fate.what is not Transition.SAME and not left_out:
            found.append(Amendment(fate.what, entry.label, " ".join(["does not show", *lost])))
    causes = expected.causes if expected else ()
    for cause in causes:
        what = witness.fate_of_cause(cause)
        fates[what] += 1
        if what is Transition.FIXED:
            found.append(Amendment(what, cause.label, "does not show"))
    for result in witness.failures:
        named = any(witness.shows(entry, result) for entry in entries)
        if not named and not any(cause.matches(result) for cause in causes):
            where = f" with {result.value}" if result.value else ""
            about = f"{result.clause}{where} ({result.verdict}: {shown(result)})"
            found.append(Amendment(Transition.REGRESSED, about, "no entry is about it"))
    return found, fates
