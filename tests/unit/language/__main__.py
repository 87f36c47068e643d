"""Prints the findings that are not in the list, or shortens the list."""

from __future__ import annotations

import argparse
import sys

from tests.unit.language import allowance
from tests.unit.language.patterns import findings
from tests.unit.language.texts import texts


def main() -> int:
    """Run the command and return its exit status: 1 if there are findings to show."""
    parser = argparse.ArgumentParser(prog="python -m tests.unit.language", description=__doc__)
    parser.add_argument("place", nargs="?", help="show all findings of this file or command")
    parser.add_argument("--shorten", action="store_true", help="remove entries that are gone")
    options = parser.parse_args()
    found = list(findings(texts()))
    counts = allowance.counted(found)
    known = allowance.read()
    if options.shorten:
        kept = allowance.as_text(allowance.shortened(known, counts))
        allowance.LIST.write_text(kept, encoding="utf-8")
        return 0
    new = counts - known
    keys = {key for key in counts if key[0] == options.place} if options.place else set(new)
    shown = [finding for finding in found if (finding.text.place, finding.pattern.name) in keys]
    print(*shown, sep="\n", end="\n" if shown else "")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
