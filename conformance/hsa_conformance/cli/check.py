"""`check GROUP`: a table on the terminal, function by clause, or the levels of a new runtime."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from hsa_conformance.cli import run, smoke
from hsa_conformance.cli.subject_options import add_options, given


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("check", help="judge a group and print every clause of it")
    what = "vmem, pools, ... or a topic or function; smoke, smoke/agents: how far a runtime is"
    parser.add_argument("group", metavar="GROUP", type=given, help=what)
    add_options(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_adapters.temporary import TemporaryFolder
    from hsa_reports.terminal import check_table, console, print_summary
    from hsa_spec import load

    registry = load()
    options.select = [options.group]
    run.resolve(options)
    levels = smoke.is_smoke(options.group)
    if levels:
        smoke.prepare(options)
    with TemporaryFolder() as temporary:
        if not options.out:
            options.out = str(temporary.path / "run")
        status, _, found = run.carry_out(options, registry)
    out = console(sys.stdout)
    if not levels:
        out.print(check_table(found, registry))
        print_summary(found, registry, out)
        return status
    print_summary(found, registry, out)
    return smoke.show(options, found, registry, out, status)
