"""Commands that hold the specification to its own rules, to the suite and to real headers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError

if TYPE_CHECKING:
    from hsa_spec import Clause, Registry, Release
    from hsa_spec.headers import Headers


def execute_lint(options: argparse.Namespace) -> int:
    """Carry `spec lint` out."""
    from hsa_spec import ids, load
    from hsa_spec.lint import lint
    from hsa_spec.text_defects import text_defects

    registry = load()
    if options.text:
        for defect in text_defects(registry):
            print(f"{defect.function}: {defect.defect}")
        return 0
    if options.ambiguities:
        return _ambiguities(registry)
    if options.update_ids:
        ids.update(registry)
    findings = lint(registry)
    for finding in findings:
        print(finding)
    print(f"{len(registry.clauses)} clauses, {len(findings)} findings")
    return 1 if findings else 0


def _ambiguities(registry: Registry) -> int:
    from hsa_reports.text import wrapped
    from hsa_spec.ambiguities import disagreements, uncovered

    contradictions = list(disagreements(registry))
    gaps = list(uncovered(registry))
    for line in (*contradictions, *gaps):
        print(wrapped(str(line)))
    print(
        f"{len(contradictions)} pairs of clauses disagree, "
        f"{len(gaps)} near misses of success have no clause"
    )
    return 1 if contradictions else 0


def execute_coverage(options: argparse.Namespace) -> int:
    """Carry `spec coverage` out."""
    from hsa_conformance.coverage.checks import coverage, table
    from hsa_conformance.selection.names import SelectionError, select
    from hsa_conformance.topics import TOPICS
    from hsa_spec import load

    registry = load()
    if options.documented:
        return _documented(registry, options.group)
    try:
        clauses = select(registry, TOPICS, [options.group] if options.group else [])
    except SelectionError as error:
        raise CommandError(str(error)) from None
    if options.reference:
        return _reference(registry, clauses)
    rows = coverage(clauses, registry, TOPICS)
    print(*table(rows), sep="\n")
    missing = [c for row in rows for c in row.missing]
    for clause in missing:
        print(f"nothing checks {clause}")
    return 1 if missing else 0


def _reference(registry: Registry, clauses: Sequence[Clause]) -> int:
    from hsa_adapters import AdapterError
    from hsa_conformance.coverage.reference import reasons, reference_coverage, table
    from hsa_conformance.engine.running.runner import Runner, Settings
    from hsa_conformance.subjects import reference
    from hsa_conformance.topics import TOPICS
    from hsa_reports.text import columns, wrapped

    try:
        runner = Runner(reference(None, registry), registry, TOPICS, Settings())
    except AdapterError as error:
        raise CommandError(str(error)) from None
    try:
        rows = reference_coverage(clauses, runner)
    finally:
        runner.close()
    print(*table(rows), "", sep="\n")
    for reason, count in reasons(rows):
        first, *more = wrapped(reason, columns() - 7).splitlines()
        print(f"{count:>5}  {first}", *(f"{'':7}{line}" for line in more), sep="\n")
    for line in (line for row in rows for line in row.against):
        print(line)
    return 1 if any(row.against for row in rows) else 0


def _documented(registry: Registry, group: str | None) -> int:
    from hsa_conformance.selection.names import SelectionError, select
    from hsa_conformance.topics import TOPICS
    from hsa_spec.documented_statuses import HSA_HEADER, documented_pairs, without_clause

    try:
        functions = {c.function for c in select(registry, TOPICS, [group] if group else [])}
    except SelectionError as error:
        raise CommandError(str(error)) from None
    pairs = [p for p in documented_pairs() if group is None or p.function in functions]
    missing = without_clause(registry, pairs)
    for pair in missing:
        print(f"no clause of {pair.function} answers {pair.status}")
    for version in sorted({v for p in pairs for v in p.versions}, key=_header_order):
        of = [p for p in pairs if version in p.versions]
        count = sum(p not in missing for p in of)
        header = (
            version.replace(HSA_HEADER, "HSA ") if HSA_HEADER in version else f"interface {version}"
        )
        print(f"{header}: {count} of {len(of)} documented pairs have a clause")
    return 1 if missing else 0


def _header_order(version: str) -> tuple[bool, tuple[int, ...]]:
    from hsa_spec.documented_statuses import HSA_HEADER
    from hsa_spec.releases import numbers

    return HSA_HEADER not in version, numbers(version.removeprefix(HSA_HEADER))


def execute_verify_headers(options: argparse.Namespace) -> int:
    """Carry `spec verify-headers` out."""
    from hsa_spec import load
    from hsa_spec.headers import HeaderError, compare, parse
    from hsa_spec.releases import Release

    registry = load()
    if options.release == "":
        raise CommandError("--release: the value is empty")
    try:
        release = Release.parse(options.release)
    except ValueError as error:
        raise CommandError(f"--release: {error}") from None
    try:
        headers = parse(options.folder)
    except HeaderError as error:
        raise CommandError(str(error)) from None
    if options.record:
        _record(registry, headers, release)
    result = compare(registry, headers, release)
    for line in (*headers.problems, *result.differences):
        print(line)
    compared = ", ".join(f"{n} of {of} {kind}" for kind, (n, of) in result.compared.items())
    print(
        f"{compared} compared with the headers of {result.release}: "
        f"{len(headers.problems)} unreadable, {len(result.differences)} differences"
    )
    return 1 if headers.problems or result.differences else 0


def _record(registry: Registry, headers: Headers, release: Release) -> None:
    from hsa_spec.headers import texts

    known = replace(release, interface=release.interface or headers.interface)
    try:
        texts.record(registry, headers, known)
    except ValueError as error:
        raise CommandError(f"--record: {error}") from None
    except OSError as error:
        raise CommandError(f"cannot write {registry.root / texts.NAME}: {error.strerror}") from None
