"""Plants defects by seed, and prints who was blamed: `python -m tests.campaign.planted`.

Options that it does not know go on to `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from hsa_adapters.hosts import find
from hsa_spec import load
from tests.campaign.planted.campaign import Campaign, Fate
from tests.campaign.planted.drawing import REFERENCE, REFUSED, ROCR, THIRD_PARTY, Defect, draw

OF = (ROCR, THIRD_PARTY, REFUSED, REFERENCE)


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser("python -m tests.campaign.planted", description=__doc__)
    parser.add_argument("--host", metavar="SUITE", default="experimental", help="the real library")
    parser.add_argument("--of", action="append", choices=OF, help="what is broken (default: all)")
    parser.add_argument("--kind", metavar="WORDS", action="append", help="only such kinds")
    parser.add_argument("--seed", metavar="N", type=int, help="of the draw (default: by chance)")
    parser.add_argument(
        "--list", action="store_true", help="print what is drawn, and judge nothing"
    )
    parser.add_argument(
        "--unbroken", metavar="N", type=int, help="judge the libraries without defects N times"
    )
    return parser.parse_known_args()


def drawn(chosen: argparse.Namespace, seed: int) -> list[Defect]:
    """Return the defects of a seed that were asked for."""
    kinds: Sequence[str] = chosen.kind or ("",)
    return [
        d
        for d in draw(seed)
        if d.of in (chosen.of or OF) and any(words in d.kind for words in kinds)
    ]


def table(fates: Iterable[Fate]) -> None:
    """Print how many were found, by what is broken."""
    by_word = Counter((fate.defect.of, fate.word) for fate in fates)
    print(f"\n{'of':<20}{'planted':>8}{'found':>7}{'wrong':>7}{'missed':>8}{'share':>7}")
    for of in (*OF, None):
        counts = [
            sum(n for (o, w), n in by_word.items() if of in (None, o) and w == word)
            for word in ("found", "WRONG", "MISSED")
        ]
        if total := sum(counts):
            right, wrong, missed = counts
            print(
                f"{of or 'all':<20}{total:>8}{right:>7}{wrong:>7}{missed:>8}{right / total:>7.0%}"
            )


def said(fate: Fate) -> str:
    """Return a line about a defect, with the clauses that are accused, or no longer judged."""
    clauses = [f"{c} ({v})" for c, v in {**fate.rightly, **fate.wrongly, **fate.unjudged}.items()]
    return f"{fate.word:<7}{fate.defect} [{', '.join(clauses)}]"


def again(campaign: Campaign, of: str, defects: Sequence[Defect], times: int) -> int:
    """Judge a library without a defect some times; return in how many something new fails."""
    first = campaign.unbroken(of, defects)
    failed = 0
    for number in range(times):
        accused = campaign.accused(campaign.unbroken(of, defects, "--against", f"{first}"), of)
        failed += bool(accused)
        print(f"{of}, without a defect, {number + 1}: {' '.join(accused) or 'nothing'}", flush=True)
    return failed


def main() -> int:
    """Return 1 where a defect was missed or another function blamed, or anything without one."""
    chosen, options = arguments()
    seed = secrets.randbelow(10**6) if chosen.seed is None else chosen.seed
    defects = drawn(chosen, seed)
    print(f"seed {seed}, {len(defects)} defects", flush=True)
    if chosen.list:
        print(*defects, sep="\n")
        return 0
    fates: list[Fate] = []
    failed = 0
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        campaign = Campaign(Path(name), find(chosen.host), load(), options)
        for of in dict.fromkeys(d.of for d in defects):
            own = [d for d in defects if d.of == of]
            if chosen.unbroken:
                failed += again(campaign, of, own, chosen.unbroken)
                continue
            without = campaign.unbroken(of, own)
            for defect in own:
                fates.append(campaign.judge(defect, without))
                print(said(fates[-1]), flush=True)
    table(fates)
    return int(failed > 0 or any(fate.word != "found" for fate in fates))


if __name__ == "__main__":
    sys.exit(main())
