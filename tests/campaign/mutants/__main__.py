"""Draws mutants, runs the suite on each, and prints who was blamed."""

from __future__ import annotations

import argparse
import secrets
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from hsa_adapters import Adapter, LibraryAdapter
from hsa_adapters.hosts import find
from hsa_adapters.virtual_kfd import ImitatedAdapter, load_machine
from hsa_conformance.subjects import reference
from hsa_conformance.topics.shared.copies import LONG
from hsa_spec import Registry, load
from tests.campaign.mutants.campaign import ALL, Campaign, Fate
from tests.campaign.mutants.mutant import Kind

#: Seconds that a call may take, which is longer than properties wait for what does not come.
BUDGET = 1.5 * LONG


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.campaign.mutants", description=__doc__)
    parser.add_argument("--host", metavar="SUITE", help="a ROCr on an imitated driver")
    parser.add_argument("--virtual-kfd", metavar="MACHINE", default="gfx90a", help="its machine")
    parser.add_argument("--mutants", metavar="N", type=int, default=150, help="how many")
    parser.add_argument(
        "--kind", metavar="KIND", action="append", type=Kind, help="what is drawn (default: all)"
    )
    parser.add_argument("--seed", metavar="N", type=int, help="of the draw (default: by chance)")
    return parser.parse_args()


def adapter(host: str | None, machine: str, registry: Registry) -> Adapter:
    if host is None:
        return reference(None, registry)
    found = find(host)
    library = LibraryAdapter(
        found.library, registry, via=found.via, release=found.rocr_version, budget=BUDGET
    )
    return ImitatedAdapter(library, load_machine(machine))


def table(fates: Sequence[Fate]) -> None:
    """Print the share that is blamed, by kind, and then the survivors, by cause."""
    print(f"\n{'kind':<20}{'drawn':>6}{'blamed':>8}{'share':>7}  failing, imitated, blocked")
    for kind in (*Kind, None):
        drawn = [f for f in fates if kind in (None, f.mutant.kind)]
        how = Counter(f.blamed for f in drawn if f.blamed)
        share = f"{how.total() / len(drawn):.0%}" if drawn else "-"
        apart = ", ".join(str(how[word]) for word in ("failing", "imitated", "blocked"))
        print(f"{kind or 'all':<20}{len(drawn):>6}{how.total():>8}{share:>7}  {apart}")
    survivors = sorted((f for f in fates if not f.blamed), key=lambda f: f.cause)
    for fate in survivors:
        by = f": {', '.join(fate.by)}" if fate.by else ""
        print(f"{fate.cause}: {fate.mutant} ({fate.hits} calls){by}")


def main() -> None:
    chosen = options()
    registry = load()
    seed = secrets.randbelow(10**6) if chosen.seed is None else chosen.seed
    campaign = Campaign(adapter(chosen.host, chosen.virtual_kfd, registry), registry)
    print(f"seed {seed}, {chosen.host or 'reference'}, release {campaign.release}")
    fates = []
    try:
        for mutant in islice(campaign.draw(seed, chosen.kind or ALL), chosen.mutants):
            fate = campaign.judge(mutant)
            fates.append(fate)
            print(f"{fate.blamed or 'SURVIVED':<9} {mutant} {' '.join(fate.by)}", flush=True)
    finally:
        campaign.close()
    table(fates)
    print(f"not drawn: {campaign.unstated} for memory of which no clause speaks")


if __name__ == "__main__":
    main()
