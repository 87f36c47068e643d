"""Plants defects by seed, and prints who was blamed: `python -m tests.campaign.planted_defects`.

Options that it does not know go on to `hsa-conformance run`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from hsa_adapters.hosts import Host, find
from hsa_conformance.baselines import read_baseline
from hsa_spec import Registry, load
from hsa_spec.releases import Release
from tests.campaign.planted_defects.building import MACHINE, build
from tests.campaign.planted_defects.drawing import (
    REFERENCE,
    REFUSED,
    ROCR,
    THIRD_PARTY,
    Defect,
    draw_defects,
)
from tests.wrong.campaign import Campaign, kept, report, seeded
from tests.wrong.fates import Outcome

OF = (ROCR, THIRD_PARTY, REFUSED, REFERENCE)


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        "python -m tests.campaign.planted_defects", description=__doc__
    )
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
        for d in draw_defects(chosen.seed)
        if d.of in (chosen.of or OF) and any(words in d.kind for words in kinds)
    ]


def campaign(
    of: str, host: Host, registry: Registry, folder: Path, options: Sequence[str]
) -> Campaign[Defect]:
    """Return what judges one kind of library."""
    release = Release.parse(host.rocr_version)
    expected = read_baseline("rocr", registry).expected(release, MACHINE) if of == ROCR else None
    known = expected.explains if expected else lambda _: False
    building = partial(build, of, host=host, registry=registry)
    return Campaign(building, registry, folder, options, known)


def main() -> int:
    """Return 1 where a defect was missed or another function blamed, or anything without one."""
    chosen, options = arguments()
    defects = drawn(chosen)
    print(f"seed {chosen.seed}, {len(defects)} defects", flush=True)
    if chosen.list:
        print(*defects, sep="\n")
        return 0
    by_library = {of: [d for d in defects if d.of == of] for of in OF}
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        host, registry = find(chosen.host), load()
        campaigns = {
            of: campaign(of, host, registry, Path(name, of), options)
            for of, own in by_library.items()
            if own
        }
        if chosen.unbroken:
            failed = False
            for of, each in campaigns.items():
                for number, accused in enumerate(each.again(by_library[of], chosen.unbroken), 1):
                    words = " ".join(accused) or "nothing"
                    print(f"{of}, without a defect, {number}: {words}", flush=True)
                    failed |= bool(accused)
            return int(failed)
        fates = (each.fates(by_library[of]) for of, each in campaigns.items())
        found = report(chain.from_iterable(fates), chosen.fates)
    return int(any(fate.outcome is not Outcome.BLAMED for fate in found))


if __name__ == "__main__":
    sys.exit(main())
