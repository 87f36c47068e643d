"""`report`: make a report from the events of a run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hsa_conformance.cli.files import RUN_HELP, STANDARD_OUTPUT, load_run, write_text


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("report", help="make a report from a run")
    parser.add_argument("format", choices=["html", "junit", "markdown", "badge"])
    parser.add_argument("run", metavar="RUN", type=Path, help=RUN_HELP)
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        default=STANDARD_OUTPUT,
        help="default: standard output",
    )
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_reports import render_badge, render_html, render_junit, render_markdown
    from hsa_spec import load

    renderers = {
        "html": render_html,
        "junit": render_junit,
        "markdown": render_markdown,
        "badge": render_badge,
    }
    run = load_run(options.run)
    write_text(renderers[options.format](run, load()), options.out)
    return 0
