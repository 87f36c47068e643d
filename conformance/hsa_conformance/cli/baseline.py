"""`baseline`: known failures as files: made of a run, brought up to date, checked."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import RUN_HELP, STANDARD_OUTPUT, load_run, load_runs, write_text
from hsa_reports.text import wrapped
from hsa_reports.transitions import Transition

if TYPE_CHECKING:
    from hsa_reports import Run

_WORDS = ", ".join(f'"{word}" {word.meaning}' for word in Transition)


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "baseline", help="create, update or check a file of known failures"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser(
        "create", help="write a baseline with the unexpected failures of a run"
    )
    create.add_argument("run", metavar="RUN", type=Path, help=RUN_HELP)
    create.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        type=Path,
        default=STANDARD_OUTPUT,
        help="new file (default: standard output)",
    )
    update = actions.add_parser(
        "update",
        help="change the entries of a baseline that differ from runs, and no others",
        epilog=f"each change is a line that begins with one of these words: {_WORDS}",
    )
    update.add_argument("file", metavar="FILE", type=Path, help="the baseline")
    update.add_argument("runs", metavar="RUN", type=Path, nargs="+", help=RUN_HELP)
    update.add_argument(
        "--dry-run", action="store_true", help="show the changes without writing them"
    )
    check = actions.add_parser(
        "check",
        help="report mistakes in a baseline, and entries that differ from a run",
        epilog="exit status: 0 nothing is wrong, 1 something is, 2 the file cannot be used. With a "
        f"run, each entry that differs is a line that begins with one of these words: {_WORDS}",
    )
    check.add_argument(
        "file", metavar="FILE", help="the baseline, or the name of the suite's own: rocr"
    )
    check.add_argument("run", metavar="RUN", type=Path, nargs="?", help=RUN_HELP)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_conformance.baselines import BaselineError

    action = {"create": _create, "update": _update, "check": _check}[options.action]
    try:
        return action(options)
    except BaselineError as error:
        raise CommandError(str(error)) from None


def _create(options: argparse.Namespace) -> int:
    from hsa_conformance.baselines.filing import created
    from hsa_spec import load

    run = load_run(options.run)
    if options.out != STANDARD_OUTPUT and options.out.exists():
        raise CommandError(
            f"{options.out} is there already: bring it up to date with "
            f"hsa-conformance baseline update {options.out} {options.run}"
        )
    write_text(created(run, load(), _included(run, options.out)), options.out)
    return 0


def _included(run: Run, out: Path) -> str | None:
    """Return the baseline that a run was made with, as a file in its place includes it."""
    from hsa_conformance.baselines import baseline_names
    from hsa_conformance.run_options import option_value

    named = option_value(run.started, "baseline")
    if named is None or named in baseline_names():
        return named
    path = Path(named)
    if path.is_absolute():
        return str(path)
    return str(path.resolve()) if out.parent != path.parent else path.name


def _update(options: argparse.Namespace) -> int:
    from hsa_conformance.baselines import baseline_names
    from hsa_conformance.baselines.filing import updated
    from hsa_spec import load

    if str(options.file) in baseline_names():
        raise CommandError(
            f"{options.file} comes with the suite, and update changes a file: name it by its path, "
            "or write one of your own that includes it"
        )
    text, said = updated(options.file, load_runs(options.runs), load())
    for line in said:
        print(wrapped(f"{line}"))
    if not said:
        print("Nothing to change.")
    if options.dry_run:
        before = options.file.read_text(encoding="utf-8").splitlines(keepends=True)
        after = text.splitlines(keepends=True)
        name = str(options.file)
        sys.stdout.writelines(difflib.unified_diff(before, after, name, name))
    elif said:
        write_text(text, options.file)
    return 0


def _check(options: argparse.Namespace) -> int:
    from hsa_conformance.baselines import read_baseline
    from hsa_conformance.baselines.checking import problems
    from hsa_conformance.baselines.filing import held
    from hsa_spec import load

    registry = load()
    baseline = read_baseline(options.file, registry)
    found = list(problems(baseline, registry))
    for problem in found:
        print(wrapped(f"{problem}"))
    entries = len(baseline.entries) + len(baseline.causes)
    print(f"{entries} entries, {len(found)} problems.")
    if options.run is None:
        return 1 if found else 0
    otherwise, fates = held(baseline, load_run(options.run), registry)
    for line in otherwise:
        print(wrapped(f"{line}"))
    counted = ", ".join(f"{fates[word]} {word}" for word in Transition if fates[word])
    wrong = [line for line in otherwise if line.what is not Transition.UNTRIED]
    print(wrapped(f"Of those for this run: {counted or 'none'}; {len(wrong)} things to change."))
    return 1 if found or wrong else 0
