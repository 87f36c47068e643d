"""`reproduce`: make a program of a failure."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.run import EVENTS


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "reproduce",
        help="make a small program that shows a failure again",
        description="Writes a program of the shortest call sequence. It takes a library as its "
        "argument and exits 1 when the defect is there, 0 when it is not, 77 when it cannot tell.",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="a run's folder or its event file")
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
    parser.add_argument("--out", metavar="FILE", type=Path, help="default: standard output")
    parser.set_defaults(execute=execute, language="c")


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_conformance.reproduce import CannotReproduce, failing, plan_for, render
    from hsa_reports import EventFileError, read_run
    from hsa_spec import load

    source: Path = options.run
    try:
        run = read_run(source / EVENTS if source.is_dir() else source)
    except EventFileError as error:
        raise CommandError(str(error), 3) from None
    failures = failing(run)
    if options.clause not in failures:
        known = ", ".join(failures) or "none"
        raise CommandError(
            f"{options.clause} has no failure in {source}; clauses with one: {known}"
        )
    registry = load()
    try:
        plan = plan_for(options.clause, failures[options.clause], registry)
        text = render(plan, run.started, registry, options.language)
    except CannotReproduce as error:
        raise CommandError(f"no program can be made: {error}", 3) from None
    if options.out is None:
        sys.stdout.write(text)
        return 0
    try:
        options.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {error.strerror}", 3) from None
    return 0
