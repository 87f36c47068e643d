"""Draws mutants, runs the suite on each, and prints who was blamed."""

from __future__ import annotations

import argparse
from contextlib import closing
from itertools import islice

from hsa_adapters import Adapter, LibraryAdapter
from hsa_adapters.hosts import find
from hsa_adapters.virtual_kfd import ImitatedAdapter, load_machine
from hsa_conformance.subjects import reference
from hsa_conformance.topics.shared.signals import PATIENCE
from hsa_spec import Registry, load
from tests.campaign.mutants.campaign import ALL, Campaign
from tests.campaign.mutants.mutant import Kind
from tests.wrong.campaign import kept, report, seeded

#: Seconds that a call may take, which is longer than properties wait for what does not come.
BUDGET = 1.5 * PATIENCE


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.campaign.mutants", description=__doc__)
    parser.add_argument("--host", metavar="SUITE", help="a ROCr on an imitated driver")
    parser.add_argument("--virtual-kfd", metavar="MACHINE", default="gfx90a", help="its machine")
    parser.add_argument("--mutants", metavar="N", type=int, default=150, help="how many")
    parser.add_argument(
        "--kind", metavar="KIND", action="append", type=Kind, help="what is drawn (default: all)"
    )
    seeded(parser)
    kept(parser)
    return parser.parse_args()


def adapter(host: str | None, machine: str, registry: Registry) -> Adapter:
    if host is None:
        return reference(None, registry)
    found = find(host)
    library = LibraryAdapter(
        found.library, registry, via=found.via, release=found.rocr_version, budget=BUDGET
    )
    return ImitatedAdapter(library, load_machine(machine))


def main() -> None:
    chosen = options()
    registry = load()
    library = adapter(chosen.host, chosen.virtual_kfd, registry)
    with closing(Campaign(library, registry)) as campaign:
        print(f"seed {chosen.seed}, {chosen.host or 'reference'}, release {campaign.release}")
        mutants = islice(campaign.draw(chosen.seed, chosen.kind or ALL), chosen.mutants)
        report(map(campaign.judge, mutants), chosen.fates)
        print(f"not drawn: {campaign.silent_calls} for memory of which no clause speaks")


if __name__ == "__main__":
    main()
