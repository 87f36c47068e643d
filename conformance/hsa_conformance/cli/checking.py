"""`checking-library`: the checks of clients as a tools library of ROCr."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hsa_conformance.cli.errors import CommandError, status_of


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "checking-library", help="build the checks of clients as a tools library for ROCr"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="output folder")
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    from hsa_reference.library import LibraryError, build_checks

    try:
        print(build_checks(options.out))
    except LibraryError as error:
        raise CommandError(str(error), status_of(error.__cause__)) from None
    return 0
