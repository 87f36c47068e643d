"""`report`: make a report from the events of a run."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.files import RUN_HELP, STANDARD_OUTPUT, load_run, write_text

if TYPE_CHECKING:
    from hsa_reports import Explanation, Run
    from hsa_spec import Registry


FORMATS = ("html", "junit", "markdown", "json", "github", "badge", "badge-svg")


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser("report", help="make a report from a run")
    parser.add_argument("format", choices=FORMATS, metavar="FORMAT", help=", ".join(FORMATS))
    parser.add_argument("run", metavar="RUN", type=Path, help=RUN_HELP)
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        default=STANDARD_OUTPUT,
        help="output file (default: standard output)",
    )
    parser.add_argument("--set", metavar="NAME", help="with badge: the named set that it shows")
    parser.add_argument(
        "--file", metavar="PATH", help="with github: the file that annotations are attached to"
    )
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_conformance.findings.explanations import explained
    from hsa_reports import (
        render_badge,
        render_badge_svg,
        render_github,
        render_html,
        render_junit,
        render_markdown,
        render_summary,
    )
    from hsa_spec import load

    def with_causes(
        render: Callable[[Run, Registry, Mapping[str, Explanation]], str],
    ) -> Callable[[Run, Registry], str]:
        return lambda run, registry: render(run, registry, explained(run, registry))

    renderers: dict[str, Callable[[Run, Registry], str]] = {
        "html": with_causes(render_html),
        "junit": render_junit,
        "markdown": with_causes(render_markdown),
        "json": with_causes(render_summary),
        "github": partial(render_github, file=options.file),
        "badge": partial(render_badge, name=options.set),
        "badge-svg": partial(render_badge_svg, name=options.set),
    }
    if options.set is not None and not options.format.startswith("badge"):
        raise CommandError("--set goes with badge: the other reports have all sets")
    if options.file is not None and options.format != "github":
        raise CommandError("--file goes with github; --out names the file to write")
    run, registry = load_run(options.run), load()
    try:
        text = renderers[options.format](run, registry)
    except ValueError as error:
        raise CommandError(str(error)) from None
    write_text(text, options.out)
    return 0
