"""`report`: make a report from the events of a run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.run import EVENTS


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("report", help="make a report from a run")
    parser.add_argument("format", choices=["html", "junit", "markdown"])
    parser.add_argument("run", metavar="RUN", type=Path, help="a run's folder or its event file")
    parser.add_argument("--out", metavar="FILE", type=Path, help="default: standard output")
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_reports import (
        EventFileError,
        read_run,
        render_html,
        render_junit,
        render_markdown,
    )
    from hsa_spec import load

    renderers = {"html": render_html, "junit": render_junit, "markdown": render_markdown}
    source: Path = options.run
    try:
        run = read_run(source / EVENTS if source.is_dir() else source)
    except EventFileError as error:
        raise CommandError(str(error), 3) from None
    text = renderers[options.format](run, load())
    if options.out is None:
        sys.stdout.write(text)
        return 0
    try:
        options.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {options.out}: {error.strerror}", 3) from None
    return 0
