"""Two processes of random programs for a while: `python -m tests.campaign.soak --minutes 30`."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from tests.campaign.soak.campaign import run


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.campaign.soak", description=__doc__)
    parser.add_argument("--minutes", metavar="N", type=float, default=30, help="how long")
    parser.add_argument("--machine", metavar="NAME", default="two_gpus", help="what is modelled")
    parser.add_argument("--seed", metavar="N", type=int, help="of the draw (default: by chance)")
    options = parser.parse_args()
    seed = secrets.randbelow(1 << 31) if options.seed is None else options.seed
    print(f"seed {seed}, machine {options.machine}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder), 60 * options.minutes, seed, options.machine, say=print)
    print(outcome)
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
