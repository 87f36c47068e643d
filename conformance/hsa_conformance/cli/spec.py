"""`spec`: read the specification, and hold it to its own rules."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError

if TYPE_CHECKING:
    from hsa_spec import Clause, Function, Registry


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("spec", help="read the specification, or check it")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="list the functions")
    listing.add_argument("topic", nargs="?", metavar="TOPIC", help="a topic such as amd/vmem")
    listing.add_argument("--json", action="store_true", help="as JSON, with clauses")
    listing.set_defaults(execute=execute_list)
    show = actions.add_parser("show", help="show a function or a clause")
    show.add_argument("name", metavar="NAME", help="a function, a clause id, or a type")
    show.add_argument("--json", action="store_true", help="as JSON, with every fact")
    show.set_defaults(execute=execute_show)
    lint = actions.add_parser("lint", help="hold the registry to its rules")
    lint.add_argument("--text", action="store_true", help="list the defects of the texts")
    lint.add_argument(
        "--ambiguities",
        action="store_true",
        help="search for calls about which clauses disagree, or that none is about",
    )
    lint.add_argument("--update-ids", action="store_true", help="record the ids of new clauses")
    lint.set_defaults(execute=execute_lint)
    coverage = actions.add_parser("coverage", help="count which clauses are checked, and how")
    coverage.add_argument("group", nargs="?", metavar="GROUP", help="a group, topic or function")
    coverage.add_argument(
        "--documented", action="store_true", help="count the statuses that the headers document"
    )
    coverage.set_defaults(execute=execute_coverage)
    headers = actions.add_parser("verify-headers", help="compare the registry with C headers")
    headers.add_argument("folder", type=Path, metavar="DIR", help="the folder that holds hsa.h")
    headers.add_argument(
        "--release", metavar="V", help="the headers' ROCm release: newer things may be absent"
    )
    headers.set_defaults(execute=execute_verify_headers)
    pages = actions.add_parser("pages", help="write the reference pages in Markdown")
    pages.add_argument("--out", metavar="DIR", required=True, type=Path, help="where to write")
    pages.set_defaults(execute=execute_pages)
    header = actions.add_parser("header", help="print a C header of one release")
    kinds = "an interface version such as 1.4, or a ROCm release such as 6.2"
    header.add_argument("--release", metavar="V", required=True, help=kinds)
    header.set_defaults(execute=execute_header)
    sets = actions.add_parser("sets", help="list the named sets, or the functions of one")
    sets.add_argument("name", nargs="?", metavar="SET", help="the name of a set")
    sets.set_defaults(execute=execute_sets)
    diff = actions.add_parser("diff", help="show what changes between two releases")
    for name in ("old", "new"):
        diff.add_argument(name, metavar=name.upper(), help=kinds)
    form = diff.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON, with every clause")
    form.add_argument("--text", action="store_false", dest="json", help="as lines (the default)")
    diff.set_defaults(execute=execute_diff)


def execute_list(options: argparse.Namespace) -> int:
    """Carry `spec list` out."""
    from hsa_spec import as_json, load

    registry = load()
    if options.topic is not None and options.topic not in registry.topics:
        raise CommandError(
            f"{options.topic!r} is no topic; the topics are {', '.join(registry.topics)}"
        )
    functions = [f for f in registry.functions.values() if options.topic in (None, f.topic)]
    if options.json:
        print(json.dumps([as_json(f) for f in functions], indent=2))
        return 0
    for function in functions:
        print(f"{function.name:<50} {function.topic:<14} {len(function.clauses):>3} clauses")
    return 0


def execute_show(options: argparse.Namespace) -> int:
    """Carry `spec show` out."""
    from hsa_spec import as_json, load

    registry = load()
    found = registry.find(options.name)
    if found is not None and options.json:
        print(json.dumps(as_json(found), indent=2))
        return 0
    if options.name in registry.functions:
        _show_function(registry.functions[options.name])
        return 0
    if options.name in registry.clauses:
        _show_clause(registry.clauses[options.name])
        return 0
    if found is not None:
        raise CommandError(f"{options.name} is a type: --json shows it, and docs/reference")
    raise CommandError(_unknown(registry, options.name))


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
    from hsa_spec.ambiguities import disagreements, uncovered

    contradictions = list(disagreements(registry))
    gaps = list(uncovered(registry))
    for line in (*contradictions, *gaps):
        print(line)
    print(
        f"{len(contradictions)} pairs of clauses disagree, "
        f"{len(gaps)} near misses of success have no clause"
    )
    return 1 if contradictions else 0


def execute_coverage(options: argparse.Namespace) -> int:
    """Carry `spec coverage` out."""
    from hsa_conformance.coverage import coverage, table
    from hsa_conformance.select import SelectionError, select
    from hsa_reports.terminal import console
    from hsa_spec import load

    registry = load()
    if options.documented:
        return _documented(registry, options.group)
    try:
        clauses = select(registry, [options.group] if options.group else [])
    except SelectionError as error:
        raise CommandError(str(error)) from None
    rows = coverage(clauses, registry)
    console(sys.stdout).print(table(rows))
    missing = [c for row in rows for c in row.missing]
    for clause in missing:
        print(f"nothing checks {clause}")
    return 1 if missing else 0


def _documented(registry: Registry, group: str | None) -> int:
    from hsa_conformance.select import SelectionError, select
    from hsa_spec.documented import documented_pairs, without_clause
    from hsa_spec.releases import numbers

    try:
        functions = {c.function for c in select(registry, [group] if group else [])}
    except SelectionError as error:
        raise CommandError(str(error)) from None
    pairs = [p for p in documented_pairs() if group is None or p.function in functions]
    missing = without_clause(registry, pairs)
    for pair in missing:
        print(f"no clause of {pair.function} answers {pair.status}")
    for version in sorted({v for p in pairs for v in p.versions}, key=numbers):
        of = [p for p in pairs if version in p.versions]
        count = sum(p not in missing for p in of)
        print(f"interface {version}: {count} of {len(of)} documented pairs have a clause")
    return 1 if missing else 0


def execute_header(options: argparse.Namespace) -> int:
    """Carry `spec header` out."""
    from hsa_spec import load
    from hsa_spec.c_header import c_header
    from hsa_spec.diff import release

    try:
        wanted = release(options.release)
    except ValueError as error:
        raise CommandError(str(error)) from None
    print(c_header(load(), wanted))
    return 0


def execute_sets(options: argparse.Namespace) -> int:
    """Carry `spec sets` out."""
    from hsa_spec import load, named_sets

    sets = named_sets(load())
    if options.name is None:
        for found in sets.values():
            print(f"{found.name:<16} {len(found.functions):>3} functions  {found.summary}")
        return 0
    if options.name not in sets:
        raise CommandError(f"there is no set {options.name!r}; the sets are {', '.join(sets)}")
    print("\n".join(sorted(sets[options.name].functions)))
    return 0


def execute_pages(options: argparse.Namespace) -> int:
    """Carry `spec pages` out."""
    from hsa_spec import load
    from hsa_spec.pages import MARK, pages
    from hsa_spec.text_defects import text_defects

    registry = load()
    made = pages(registry, text_defects(registry))
    try:
        for path, text in made.items():
            page = options.out / path
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8")
        for page in options.out.rglob("*.md"):
            # Pages of what is no longer in the registry go; pages by other hands stay.
            stale = page.relative_to(options.out).as_posix() not in made
            if stale and page.read_bytes().startswith(MARK.encode()):
                page.unlink()
    except OSError as error:
        raise CommandError(f"cannot write to {options.out}: {error.strerror}") from None
    print(f"{len(made)} pages in {options.out}")
    return 0


def execute_diff(options: argparse.Namespace) -> int:
    """Carry `spec diff` out."""
    from hsa_spec import load
    from hsa_spec.diff import diff, lines, release

    try:
        old, new = release(options.old), release(options.new)
    except ValueError as error:
        raise CommandError(str(error)) from None
    changes = diff(load(), old, new)
    if options.json:
        print(json.dumps([asdict(change) for change in changes], indent=2))
    else:
        print("\n".join(lines(changes)))
    return 0


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
    result = compare(registry, headers, release)
    for line in (*headers.problems, *result.differences):
        print(line)
    compared = ", ".join(f"{n} of {of} {kind}" for kind, (n, of) in result.compared.items())
    print(
        f"{compared} compared with the headers of {result.release}: "
        f"{len(headers.problems)} unreadable, {len(result.differences)} differences"
    )
    return 1 if headers.problems or result.differences else 0


def _show_function(function: Function) -> None:
    params = ", ".join(f"{p.type} {p.name}" for p in function.params)
    print(f"{function.result} {function.name}({params})")
    print(f"\n{function.summary}\n\n{function.header}, topic {function.topic}")
    for parameter in function.params:
        facts = [parameter.direction, parameter.unit, "may be NULL" if parameter.nullable else ""]
        print(f"  {parameter.name}: {', '.join(f for f in facts if f)}")
    for clause in function.clauses:
        print()
        _show_clause(clause)


def _show_clause(clause: Clause) -> None:
    from hsa_spec import describe

    print(f"{clause.id} [{clause.strength}, decided by the {clause.decided_by}]")
    print(f"  {describe(clause)}")
    print(f"  source: {clause.source}")
    if clause.contested:
        print(f"  contested: {clause.contested}")
    if clause.untestable:
        print(f"  not tested: {clause.untestable}")
    if clause.needs:
        print(f"  needs: {', '.join(clause.needs)}")


def _unknown(registry: Registry, name: str) -> str:
    near = get_close_matches(name, [*registry.functions, *registry.clauses], 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no function and no clause; {hint}"
