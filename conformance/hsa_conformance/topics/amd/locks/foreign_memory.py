"""Memory of which texts that speak of allocations do not say whether they mean it."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.amd.locks.state import lock_around
from hsa_conformance.topics.amd.vmem.state import reservation_around


def require_foreign_memory(model: Model, address: int) -> None:
    """Go on only where memory that is no block of a pool is not from the runtime at all.

    Raises:
        ProvesNothing: it is, and texts that speak of allocations do not say whether they mean it.

    """
    if (
        model.around("region_block", address) is not None
        or reservation_around(model, address) is not None
        or lock_around(model, address) is not None
        or address in model.live("attachment")
    ):
        raise ProvesNothing("the text does not say whether it speaks of memory of this kind")
