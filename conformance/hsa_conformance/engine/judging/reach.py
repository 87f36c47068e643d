"""What devices that are imitated cannot do is never a verdict on the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hsa_adapters.errors import Ended
from hsa_adapters.faults import NOT_IMITATED, Faults
from hsa_conformance.engine.calls.outcomes import Blocked, ImitationLimit, ProvesNothing, Violation
from hsa_reports import Verdict


@contextmanager
def within_reach(faults: Faults | None, clause: str) -> Iterator[None]:
    """Let a block be judged only if devices could do all that it asked of them.

    Args:
        faults: of a machine with devices that execute kernels; None where nothing is imitated, or
            where kernels are known to be beyond its devices.
        clause: the id of the clause that is judged.

    Raises:
        ImitationLimit: they could not, however the block ended: UNTESTED where devices lack by
            design all that was asked, else BLOCKED.

    """
    if faults is None:
        yield
        return
    before, known = faults.beyond(), {*faults.lacking()}
    ended: BaseException | None = None
    try:
        yield
    except (Violation, Ended, Blocked, ProvesNothing) as error:
        ended = error
    # It begins at 0 again where the block made calls of the driver fail.
    if faults.beyond() not in (0, before):
        lacked = [line for line in faults.lacking() if line not in known] or faults.lacking()
        reason = f"the imitated device cannot tell what hardware does: {_in_words(lacked)}"
        if lacked and all(NOT_IMITATED in line for line in lacked):
            raise ImitationLimit(Verdict.UNTESTED, reason) from ended
        raise ImitationLimit(Verdict.BLOCKED, f"{clause}: {reason}") from ended
    if ended is not None:
        raise ended


def _in_words(lacked: Sequence[str]) -> str:
    """Return the first thing that devices lacked, and how many more there are.

    Each is told once, and no line says which example met it.
    """
    first, *others = lacked or ["a dispatch packet that may be malformed"]
    return f"{first}, or one of {len(others)} more" if others else first
