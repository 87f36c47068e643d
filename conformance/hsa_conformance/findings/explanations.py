"""What is known of the causes that baselines name, for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance import source_tree
from hsa_conformance.baselines import Baseline, Entry, baseline_names, read_baseline
from hsa_conformance.findings.pages import Finding, read_findings
from hsa_reports import Explanation, Run
from hsa_spec import Registry

#: Where the pages are, from the root of the documentation.
PAGES = "findings"


def explained(run: Run, registry: Registry, *names: str) -> Mapping[str, Explanation]:
    """Return what is known of the causes that a run's results name.

    Args:
        run: nothing is read where no result of it names a cause.
        registry: knows the clauses.
        names: as of `explanations`.

    Raises:
        BaselineError: a baseline cannot be used.

    """
    return explanations(registry, *names) if any(r.cause for r in run.results) else {}


def explanations(registry: Registry, *names: str) -> Mapping[str, Explanation]:
    """Return what the pages of findings and baselines say of each cause, by its id.

    Args:
        registry: knows the clauses.
        names: the baselines, as `read_baseline` takes them; none: those that come with the suite.

    Raises:
        BaselineError: a baseline cannot be used.

    """
    folder = source_tree.findings()
    pages = {finding.name: finding for finding in read_findings(folder)} if folder else {}
    found: dict[str, Explanation] = {}
    for name in names or baseline_names():
        baseline = read_baseline(name, registry)
        of: dict[str, list[Entry]] = {}
        for entry in baseline.entries:
            if entry.finding:
                of.setdefault(entry.finding, []).append(entry)
        found |= {id_: _one(id_, of[id_], baseline, pages.get(id_)) for id_ in of}
    return found


def _one(
    id_: str, entries: Sequence[Entry], baseline: Baseline, page: Finding | None
) -> Explanation:
    address = id_ if "://" in id_ else None
    reasons = list(dict.fromkeys(entry.reason for entry in entries))
    upstream = dict.fromkeys(each for entry in entries for each in entry.upstream)
    return Explanation(
        id_,
        page.title if page else reasons[0].rstrip("."),
        " ".join(reasons),
        tuple(r for r in baseline.releases if any(entry.concerns(r) for entry in entries)),
        page.weight if page else None,
        page.defect.meaning if page else None,
        f"{PAGES}/{id_}.md" if page else address,
        (*(page.upstream if page else ()), *upstream),
    )
