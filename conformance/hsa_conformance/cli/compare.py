"""`compare`: what changed between two runs or more."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import RUN_HELP, STANDARD_OUTPUT, load_runs, write_text
from hsa_conformance.cli.reliability import add_reliability, show_reliability

if TYPE_CHECKING:
    from hsa_reports.comparison import Comparison
    from hsa_spec import Registry


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "compare",
        help="show the changes between runs",
        epilog="exit status: 0 no clause got worse from the first run to the last, 1 some did, "
        "2 wrong use, 3 too little could be compared, or the disk is full",
    )
    parser.add_argument(
        "runs",
        metavar="RUN",
        type=Path,
        nargs="+",
        help=f"two or more, the oldest library first: {RUN_HELP}",
    )
    parser.add_argument(
        "--markdown",
        metavar="FILE",
        type=Path,
        help='write a summary for a pull request; "-": standard output',
    )
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page with the details")
    parser.add_argument(
        "--sets",
        metavar="FILE",
        type=Path,
        help="write a page of implementations by set instead; the status is 0",
    )
    add_reliability(parser)
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_conformance.findings.explanations import explanations
    from hsa_reports.comparison import Comparison, render_html, render_markdown, render_sets
    from hsa_reports.comparison.terminal import print_comparison
    from hsa_reports.terminal import console
    from hsa_spec import load

    if options.reliability or options.reliability_pages:
        return show_reliability(options, _names(options.runs))
    if options.json is not None:
        raise CommandError("--json goes with --reliability")
    if len(options.runs) < 2:
        raise CommandError("compare needs two runs or more: name the oldest first")
    if options.html == STANDARD_OUTPUT:
        raise CommandError("--html needs the name of a file; only --markdown takes -")
    if options.sets is not None and (options.html or options.markdown):
        raise CommandError("--sets shows no changes: leave out --html and --markdown")
    if options.sets == STANDARD_OUTPUT:
        raise CommandError("--sets needs the name of a file; only --markdown takes -")
    runs = load_runs(options.runs)
    comparison = Comparison(_names(options.runs), runs)
    registry = load()
    if options.sets is not None:
        write_text(render_sets(comparison, registry), options.sets)
        _print_sets(comparison, registry)
        return 0
    if options.html is not None:
        write_text(render_html(comparison, registry), options.html)
    known = explanations(registry) if any(r.cause for run in runs for r in run.results) else {}
    if options.markdown is not None:
        write_text(render_markdown(comparison, registry, known), options.markdown)
    if options.markdown != STANDARD_OUTPUT:
        print_comparison(comparison, registry, console(sys.stdout), known)
    if comparison.worse:
        return 1
    return 3 if comparison.shows_nothing or comparison.unreached else 0


def _print_sets(comparison: Comparison, registry: Registry) -> None:
    """Write what may be said of the sets of each run."""
    from hsa_reports.terminal import console, say, set_lines

    out = console(sys.stdout)
    for name, run in zip(comparison.names, comparison.runs, strict=True):
        out.print(name, style="bold", soft_wrap=True)
        for line in set_lines(run, registry):
            say(out, f"  {line}")


def _names(sources: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the folders, or the paths where these would not tell runs apart."""
    from hsa_reports import COMPRESSED, EVENTS

    folders = [path.parent if path.name in (EVENTS, COMPRESSED) else path for path in sources]
    short = tuple(folder.resolve().name for folder in folders)
    return short if len(set(short)) == len(short) else tuple(str(path) for path in sources)
