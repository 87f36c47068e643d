"""Plants defects by seed, and prints who was blamed: `python -m tests.campaign.planted`.

Options that it does not know go on to `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hsa_adapters.hosts import find
from hsa_spec import load
from tests.campaign.planted.campaign import Campaign
from tests.campaign.planted.drawing import REFERENCE, REFUSED, ROCR, THIRD_PARTY, Defect, draw
from tests.wrong.campaign import kept, report, seeded
from tests.wrong.fates import Fate, Outcome

OF = (ROCR, THIRD_PARTY, REFUSED, REFERENCE)


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser("python -m tests.campaign.planted", description=__doc__)
    parser.add_argument("--host", metavar="SUITE", default="experimental", help="the real library")
    parser.add_argument("--of", action="append", choices=OF, help="what is broken (default: all)")
    parser.add_argument("--kind", metavar="WORDS", action="append", help="only such kinds")
    seeded(parser)
    kept(parser)
    parser.add_argument(
        "--list", action="store_true", help="print what is drawn, and judge nothing"
    )
    parser.add_argument(
        "--unbroken", metavar="N", type=int, help="judge the libraries without defects N times"
    )
    return parser.parse_known_args()


def drawn(chosen: argparse.Namespace) -> list[Defect]:
    """Return the defects of a seed that were asked for."""
    kinds: Sequence[str] = chosen.kind or ("",)
    return [
        d
        for d in draw(chosen.seed)
        if d.of in (chosen.of or OF) and any(words in d.kind for words in kinds)
    ]


def fates(campaign: Campaign, defects: Sequence[Defect]) -> Iterator[Fate]:
    """Judge each kind of library without a defect, and then with each of its defects."""
    for of in dict.fromkeys(d.of for d in defects):
        own = [d for d in defects if d.of == of]
        without = campaign.unbroken(of, own)
        yield from (campaign.judge(defect, without) for defect in own)


def again(campaign: Campaign, of: str, defects: Sequence[Defect], times: int) -> int:
    """Judge a library without a defect some times; return in how many something new fails."""
    own = [d for d in defects if d.of == of]
    if not own:
        return 0
    first = campaign.unbroken(of, own)
    failed = 0
    for number in range(times):
        accused = campaign.accused(campaign.unbroken(of, own, "--against", f"{first}"), of)
        failed += bool(accused)
        print(f"{of}, without a defect, {number + 1}: {' '.join(accused) or 'nothing'}", flush=True)
    return failed


def main() -> int:
    """Return 1 where a defect was missed or another function blamed, or anything without one."""
    chosen, options = arguments()
    defects = drawn(chosen)
    print(f"seed {chosen.seed}, {len(defects)} defects", flush=True)
    if chosen.list:
        print(*defects, sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        campaign = Campaign(Path(name), find(chosen.host), load(), options)
        if chosen.unbroken:
            failed = sum(again(campaign, of, defects, chosen.unbroken) for of in OF)
            return int(failed > 0)
        found = report(fates(campaign, defects), chosen.fates)
    return int(any(fate.outcome is not Outcome.BLAMED for fate in found))


if __name__ == "__main__":
    sys.exit(main())
