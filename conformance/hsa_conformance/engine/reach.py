"""What devices that are imitated cannot do is never a verdict on the library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hsa_adapters.errors import Ended
from hsa_adapters.faults import Faults
from hsa_conformance.engine.outcomes import Beyond, Blocked, ProvesNothing, Violation
from hsa_reports import Verdict


@contextmanager
def within_reach(faults: Faults | None, clause: str) -> Iterator[None]:
    """Let a block be judged only if devices could do all that it asked of them.

    Args:
        faults: of a machine with devices that execute kernels; None where nothing is imitated, or
            where kernels are known to be beyond its devices.
        clause: the id of the clause that is judged.

    Raises:
        Beyond: they could not, however the block ended.

    """
    if faults is None:
        yield
        return
    before = faults.beyond()
    ended: BaseException | None = None
    try:
        yield
    except (Violation, Ended, Blocked, ProvesNothing) as error:
        ended = error
    # It begins at 0 again where the block made calls of the driver fail.
    if faults.beyond() not in (0, before):
        # Which example met which of them, no line says.
        told = "; ".join(faults.lacking()) or "a dispatch packet that may be malformed"
        reason = f"{clause}: the imitated device cannot tell what hardware does: {told}"
        raise Beyond(Verdict.BLOCKED, reason) from ended
    if ended is not None:
        raise ended
