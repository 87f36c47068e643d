"""Compares two campaigns by the files that `--fates` wrote, or prints one as a table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.wrong.fates import compared, read, table


def main() -> int:
    """Return 1 where a mistake is no longer blamed."""
    parser = argparse.ArgumentParser("python -m tests.wrong", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    comparing = actions.add_parser("compare", help="name each mistake that is no longer blamed")
    comparing.add_argument("before", type=Path, metavar="A", help="fates of a commit")
    comparing.add_argument("after", type=Path, metavar="B", help="fates of a later commit")
    showing = actions.add_parser("table", help="count the mistakes by kind, and name the survivors")
    showing.add_argument("fates", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    if chosen.action == "table":
        print(*table(read(chosen.fates)), sep="\n")
        return 0
    lost, lines = compared(read(chosen.before), read(chosen.after))
    print(*lines, sep="\n")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
