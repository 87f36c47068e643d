"""`reference-library`: the reference as a C library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hsa_conformance.cli.errors import CommandError, status_of


def add_parser(commands: Any) -> None:  # noqa: ANN401
    """Add the command."""
    parser = commands.add_parser(
        "reference-library", help="build the reference as libhsa-runtime64.so.1"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="output folder")
    parser.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Carry the command out."""
    import yaml

    from hsa_conformance.subjects import CLAIM
    from hsa_reference import implemented
    from hsa_reference.library import LibraryError, build
    from hsa_spec import load

    try:
        registry = implemented(load())
        path = build(options.out, registry)
        # Whoever puts the library under the suite needs no claim of their own.
        claim = {"implementation": "hsa-conformance reference", "functions": [*registry.functions]}
        path.with_name(CLAIM).write_text(yaml.safe_dump(claim, sort_keys=False), encoding="utf-8")
    except LibraryError as error:
        raise CommandError(str(error), status_of(error.__cause__)) from None
    print(path)
    return 0
