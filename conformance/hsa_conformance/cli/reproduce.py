"""`reproduce`: make a program of a failure."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import RUN_HELP, STANDARD_OUTPUT, load_run, write_text


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "reproduce",
        help="write a small program that reproduces a failure",
        description="Writes a program of the shortest call sequence. It takes a library as its "
        "argument and exits 1 when the defect is there, 0 when it is not, 77 when it cannot tell.",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help=RUN_HELP)
    parser.add_argument("clause", metavar="CLAUSE", help="id of a clause that failed in it")
    language = parser.add_mutually_exclusive_group()
    language.add_argument(
        "--c",
        dest="language",
        action="store_const",
        const="c",
        help="in C, for `cc -std=c11 FILE -ldl`; no headers of HSA are needed (default)",
    )
    language.add_argument(
        "--python",
        dest="language",
        action="store_const",
        const="python",
        help="in Python, with nothing but its standard library",
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, default=STANDARD_OUTPUT, help="default: standard output"
    )
    parser.set_defaults(execute=execute, language="c")


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_conformance.reproduce import CannotReproduce, failing, plan_for, render
    from hsa_spec import load

    run = load_run(options.run)
    failures = failing(run)
    if options.clause not in failures:
        known = ", ".join(failures) or "none"
        raise CommandError(
            f"{options.clause} has no failure in {options.run}; clauses with one: {known}"
        )
    registry = load()
    try:
        plan = plan_for(options.clause, failures[options.clause], registry)
        text = render(plan, run.started, registry, options.language)
    except CannotReproduce as error:
        raise CommandError(f"no program can be made: {error}", 3) from None
    write_text(text, options.out)
    return 0
