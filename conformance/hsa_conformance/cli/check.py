"""`check GROUP`: a table on the terminal, function by clause, or the levels of a new runtime."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli import run, smoke
from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.subject_options import add_options, given

if TYPE_CHECKING:
    from hsa_reports import Run
    from hsa_spec import Registry

STATUSES = "hsa_status_t"


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("check", help="judge a group and print the verdict of each clause")
    what = "a group (vmem), topic or function; smoke, smoke/agents: a runtime's progress"
    parser.add_argument("group", metavar="GROUP", type=given, help=what)
    parser.add_argument(
        "--status",
        metavar="NAME",
        help="judge only the clauses about this status, such as OUT_OF_RESOURCES",
    )
    add_options(parser)
    parser.set_defaults(execute=execute, resume=False, shard=None)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_adapters.temporary import TemporaryFolder
    from hsa_reports.terminal import check_table, console, print_summary, say
    from hsa_spec import load

    registry = load()
    options.select = [options.group]
    if options.status:
        options.select = _leading_to(options.status, options.group, registry)
    run.resolve(options)
    levels = smoke.is_smoke(options.group)
    if levels:
        smoke.prepare(options)
    with TemporaryFolder() as temporary:
        if not options.out:
            options.out = str(temporary.path / "run")
        status, _, found, causes = run.run_clauses(options, registry)
    out = console(sys.stdout)
    if not levels:
        out.print(check_table(found, registry))
        print_summary(found, registry, out, causes)
        for line in _since(found, registry):
            say(out, line)
        return status
    print_summary(found, registry, out, causes)
    return smoke.show(options, found, registry, out, status)


def _since(found: Run, registry: Registry) -> Iterator[str]:
    """Yield since when there is a group of which the release has nothing."""
    from hsa_reports import Verdict

    if not found.verdicts or set(found.verdicts.values()) != {Verdict.NOT_APPLICABLE}:
        return
    by_versions: dict[str, list[str]] = {}
    for name in found.functions:
        if (function := registry.functions.get(name)) and str(function.versions):
            by_versions.setdefault(str(function.versions), []).append(name)
    for versions, names in by_versions.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield f"{names[0]}{more}: {versions}"


def _leading_to(name: str, group: str, registry: Registry) -> list[str]:
    """Return the clauses of a group that lead to a status, whose name may lack its beginning.

    Raises:
        CommandError: there is no such status, no such group, or none of its clauses leads to it.

    """
    from hsa_conformance.selection.names import SelectionError, select
    from hsa_conformance.topics import TOPICS

    statuses = [e.name for e in registry.enums[STATUSES].enumerators]
    beginnings = ("", "HSA_STATUS_", "HSA_STATUS_ERROR_")
    status = next((b + name for b in beginnings if b + name in statuses), None)
    if status is None:
        near = get_close_matches(name, [s.removeprefix("HSA_STATUS_") for s in statuses], 3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"see `spec show {STATUSES}`"
        raise CommandError(f"{name!r} is no status; {hint}")
    try:
        found = select(registry, TOPICS, [group])
    except SelectionError as error:
        raise CommandError(str(error)) from None
    leading = [clause.id for clause in found if status in clause.status]
    if not leading:
        raise CommandError(
            f"no clause of {group} leads to {status}; "
            f"`hsa-conformance spec show {status}` lists those that do"
        )
    return leading
