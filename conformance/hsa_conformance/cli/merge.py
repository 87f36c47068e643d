"""`merge`: join the shards of a run, or its parts, into one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import RUN_HELP, load_run, write_text
from hsa_conformance.cli.run import REPORT
from hsa_conformance.cli.run_folder import new_folder
from hsa_conformance.cli.subject_options import given

if TYPE_CHECKING:
    from hsa_conformance.runs.merging import MergedRun


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "merge",
        help="join the shards of a run into one run",
        epilog="exit status: that of the joined run; 2 if they are not the shards of one run",
    )
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="+", help=RUN_HELP)
    parser.add_argument(
        "--out", metavar="DIR", type=given, required=True, help="folder for the joined run"
    )
    parser.add_argument(
        "--partial",
        action="store_true",
        help="accept missing or incomplete shards: their clauses are NOT_RUN, and the "
        "report says so",
    )
    parser.set_defaults(execute=execute, resume=False)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_conformance.runs.merging import MergeError, merge, read_piece
    from hsa_reports import EVENTS, EventFileError, render_html
    from hsa_reports.terminal import console, print_summary
    from hsa_spec import load

    registry = load()
    try:
        pieces = [read_piece(source) for source in options.runs]
        merged = merge(pieces, registry, partial=options.partial)
    except (EventFileError, MergeError) as error:
        raise CommandError(str(error)) from None
    folder, _ = new_folder(options)
    _write(merged, folder / EVENTS)
    run = load_run(folder)
    write_text(render_html(run, registry), folder / REPORT)
    print_summary(run, registry, console(sys.stdout))
    print(f"Report: {folder / REPORT}")
    return merged.status


def _write(merged: MergedRun, path: Path) -> None:
    from hsa_reports import EventWriter

    try:
        with EventWriter(path) as writer:
            for event in (merged.started, *merged.events):
                writer.write(event)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}; name another folder") from None
