"""The command that leads from a name to its code."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError

if TYPE_CHECKING:
    from hsa_conformance.where import Place


def execute_where(options: argparse.Namespace) -> int:
    """Carry `spec where` out."""
    from hsa_conformance.topics import TOPICS
    from hsa_conformance.where import Unknown, where
    from hsa_conformance.where.place import FEW
    from hsa_spec import load

    try:
        places = where(load(), TOPICS, options.name, None if options.all else FEW)
    except Unknown as unknown:
        raise CommandError(str(unknown)) from None
    if options.json:
        rows = [{"path": _path(p), "line": p.line, "what": p.what} for p in places]
        print(json.dumps(rows, indent=2))
        return 0
    for place in places:
        print(f"{_path(place)}:{place.line}  {place.what}")
    return 0


def _path(place: Place) -> str:
    """Return a path from the current folder where the file is in it, or else the whole path."""
    here, path = Path.cwd(), place.path.resolve()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
