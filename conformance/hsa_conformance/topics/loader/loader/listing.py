"""What a program can say of a traversal of executables."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hsa_conformance.engine.calls.comparing import counted, equal
from hsa_conformance.engine.session.session import Session
from hsa_reports.demands import Demand

OF_EXECUTABLES: Final = "hsa_ven_amd_loader_iterate_executables"


def as_many(session: Session, found: Collection[int], wanted: int) -> Demand | None:
    """Return the demand that as many executables are reported as there are; None where they are.

    Args:
        session: the process.
        found: the handles that were reported.
        wanted: how many there should be.

    """
    if len(found) == wanted:
        return None
    address = session.member(session.registry.functions[OF_EXECUTABLES])
    count = counted(found, session.registry, OF_EXECUTABLES, {}, address=address)
    return equal(count, wanted).demand
