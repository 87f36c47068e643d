"""`reproduce`: make a program of a failure, or of all."""

from __future__ import annotations

import argparse
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import RUN_HELP, STANDARD_OUTPUT, load_run, write_text

if TYPE_CHECKING:
    from hsa_conformance.cli.reproduce_all import WrittenProgram
    from hsa_conformance.reproduce import Target
    from hsa_reports import Run

#: How many clauses a message names where many have a failure.
_NEAREST = 5


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "reproduce",
        help="write a small program that reproduces a failure",
        description="Writes a program that makes the shortest failing sequence of calls. It "
        "takes a library as its argument and exits 1 if the defect is there, 0 if "
        "it is not, 77 if it cannot tell. If the library that failed is available, "
        "the program is tried on it first.",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help=RUN_HELP)
    parser.add_argument(
        "clause",
        metavar="CLAUSE",
        nargs="?",
        help="id of a clause that failed in the run, or CLAUSE[AXIS=VALUE], as the report names it",
    )
    language = parser.add_mutually_exclusive_group()
    language.add_argument(
        "--c",
        dest="language",
        action="store_const",
        const="c",
        help="write C, for `cc -std=c11 FILE -ldl` (default if it can be tried)",
    )
    language.add_argument(
        "--python",
        dest="language",
        action="store_const",
        const="python",
        help="write Python that needs only the standard library",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="output file, or with --all a folder (default: standard output)",
    )
    parser.add_argument(
        "--all", action="store_true", help="write a program for each failure, and a Makefile"
    )
    parser.add_argument(
        "--keep", action="store_true", help="with --all: record in RUN how the programs ended"
    )
    parser.add_argument(
        "--bisect", action="store_true", help="also print the command for `git bisect`; needs --out"
    )
    parser.add_argument(
        "--build",
        metavar="COMMAND",
        default="make",
        help="with --bisect: command that builds the library (default: make)",
    )
    parser.add_argument(
        "--library",
        metavar="PATH",
        help="try the programs on this library (default: that of the run)",
    )
    parser.add_argument("--no-try", action="store_true", help="write programs without trying them")
    parser.add_argument("-n", dest="jobs", metavar="N", type=int, help="try N at a time")
    parser.set_defaults(execute=execute, language=None)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    _check(options)
    run = load_run(options.run)
    target, reason = _target(options, run)
    return (_all if options.all else _one)(options, run, target, reason)


def _check(options: argparse.Namespace) -> None:
    if options.all == (options.clause is not None):
        raise CommandError("name a clause, or give --all --out DIR")
    if (options.all or options.bisect) and options.out is None:
        raise CommandError(f"{'--all' if options.all else '--bisect'} wants --out")
    if options.all and options.bisect:
        raise CommandError("--bisect is about one clause: name it instead of --all")
    if options.jobs is not None and options.jobs < 1:
        raise CommandError("-n: give a number from 1 on")


def _target(options: argparse.Namespace, run: Run) -> tuple[Target | None, str]:
    """Return where programs are tried, or why that cannot be."""
    from hsa_conformance.reproduce import NoTargetError, Target

    # The library of a bisection is yet to be built.
    if options.no_try or (options.bisect and options.library):
        return None, "--no-try"
    try:
        return Target(run.started, options.library), ""
    except NoTargetError as error:
        return None, str(error)


def _offered(clause: str, failures: list[str]) -> str:
    """Return which clauses have a failure, those of the most similar ids where they are many."""
    if len(failures) <= _NEAREST:
        return f"clauses with one: {', '.join(failures) or 'none'}"
    near = get_close_matches(clause, failures, _NEAREST, cutoff=0)
    return f"the nearest of {len(failures)} clauses with one: {', '.join(near)}"


def _one(options: argparse.Namespace, run: Run, target: Target | None, reason: str) -> int:
    from hsa_conformance.reproduce import Offerer, failing, failing_values
    from hsa_conformance.reproduce.trying.bisection import bisection
    from hsa_spec import load

    failures = failing(run)
    values = failing_values(run)
    result = failures.get(options.clause) or values.get(options.clause)
    if result is None:
        names = [name for name in values if name.startswith(f"{options.clause.partition('[')[0]}[")]
        offered = _offered(options.clause, names or list(failures))
        raise CommandError(f"{options.clause} has no failure in {options.run}; {offered}")
    assert result.failure is not None
    program = Offerer(run.started, load(), target, reason).offer(
        result.clause, result.failure, result.machine, options.language
    )
    if program.text is None:
        raise CommandError(f"no program can be made: {program.ran.why}", 3)
    write_text(program.text, options.out or STANDARD_OUTPUT)
    if program.ran.exit is not None:
        print(
            f"where it was seen, it ends with {program.ran.exit}: {program.ran.why}",
            file=sys.stderr,
        )
    elif target is not None:
        print(program.ran.why, file=sys.stderr)
    if options.bisect:
        library = options.library or "libhsa-runtime64.so.1"
        machine = result.machine or run.started.subject.machine
        print(bisection(options.out, program.ran.form, library, options.build, machine))
    return 0


def _all(options: argparse.Namespace, run: Run, target: Target | None, reason: str) -> int:
    from hsa_conformance.cli.reproduce_all import summary, write_all, write_makefile
    from hsa_conformance.reproduce import Offerer
    from hsa_spec import load

    offerer = Offerer(run.started, load(), target, reason)
    written = write_all(run.results, offerer, options.out, options.language, options.jobs)
    library = target.library if target else run.started.subject.path or ""
    start = target.start(run.started.subject.machine) if target else ""
    write_makefile(options.out, library, start)
    if options.keep:
        _keep(options.run, run, written)
    print("\n".join(summary(written)))
    return 0


def _keep(source: Path, run: Run, written: list[WrittenProgram]) -> None:
    """Note in the run's events how its programs ended."""
    from hsa_reports import EventFileError
    from hsa_reports.rewriting import key_of, note_programs

    try:
        note_programs(source, {key_of(run.results[w.place]): w.ran for w in written})
    except EventFileError as error:
        raise CommandError(str(error)) from None
