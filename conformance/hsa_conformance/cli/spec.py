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
    listing.add_argument("--json", action="store_true", help="as JSON, with clauses")
    listing.set_defaults(execute=execute_list)
    show = actions.add_parser("show", help="show a function or a clause")
    show.add_argument("name", metavar="NAME", help="a function or a clause id")
    show.set_defaults(execute=execute_show)
    lint = actions.add_parser("lint", help="hold the registry to its rules")
    lint.add_argument("--text", action="store_true", help="list the defects of the texts")
    lint.add_argument("--update-ids", action="store_true", help="record the ids of new clauses")
    lint.set_defaults(execute=execute_lint)
    coverage = actions.add_parser("coverage", help="count which clauses are checked, and how")
    coverage.add_argument("group", nargs="?", metavar="GROUP", help="a group, topic or function")
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
    diff = actions.add_parser("diff", help="show what changes between two releases")
    for name in ("old", "new"):
        kinds = "an interface version such as 1.4, or a ROCm release such as 6.2"
        diff.add_argument(name, metavar=name.upper(), help=kinds)
    form = diff.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON, with every clause")
    form.add_argument("--text", action="store_false", dest="json", help="as lines (the default)")
    diff.set_defaults(execute=execute_diff)


def execute_list(options: argparse.Namespace) -> int:
    """Carry `spec list` out."""
    from hsa_spec import load

    registry = load()
    if options.json:
        print(json.dumps([_as_json(f) for f in registry.functions.values()], indent=2))
        return 0
    for function in registry.functions.values():
        print(f"{function.name:<50} {function.topic:<14} {len(function.clauses):>3} clauses")
    return 0


def execute_show(options: argparse.Namespace) -> int:
    """Carry `spec show` out."""
    from hsa_spec import load

    registry = load()
    if options.name in registry.functions:
        _show_function(registry.functions[options.name])
        return 0
    if options.name in registry.clauses:
        _show_clause(registry.clauses[options.name])
        return 0
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
    if options.update_ids:
        ids.update(registry)
    findings = lint(registry)
    for finding in findings:
        print(finding)
    print(f"{len(registry.clauses)} clauses, {len(findings)} findings")
    return 1 if findings else 0


def execute_coverage(options: argparse.Namespace) -> int:
    """Carry `spec coverage` out."""
    from hsa_conformance.coverage import coverage, table
    from hsa_conformance.select import SelectionError, select
    from hsa_reports.terminal import console
    from hsa_spec import load

    registry = load()
    try:
        clauses = select(registry, [options.group] if options.group else [])
    except SelectionError as error:
        raise CommandError(str(error)) from None
    rows = coverage(clauses)
    console(sys.stdout).print(table(rows))
    missing = [c for row in rows for c in row.missing]
    for clause in missing:
        print(f"nothing checks {clause}")
    return 1 if missing else 0


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
    for line in result.known:
        print(f"known, no mistake: {line}")
    more = ", ".join(f"{count} {kind}" for kind, count in result.unregistered.items())
    print(f"not in the registry yet: {more}")
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


def _as_json(function: Function) -> dict[str, Any]:
    from hsa_spec import describe

    return {
        "name": function.name,
        "header": function.header,
        "topic": function.topic,
        "summary": function.summary,
        "result": function.result,
        "params": [
            {"name": p.name, "type": p.type, "direction": p.direction} for p in function.params
        ],
        "documented": list(function.documented),
        "clauses": [
            {
                "id": c.id,
                "kind": c.kind,
                "strength": c.strength,
                "status": list(c.status),
                "when": [a.text for a in c.when],
                "english": describe(c),
                "source": str(c.source),
            }
            for c in function.clauses
        ],
    }


def _unknown(registry: Registry, name: str) -> str:
    near = get_close_matches(name, [*registry.functions, *registry.clauses], 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no function and no clause; {hint}"
