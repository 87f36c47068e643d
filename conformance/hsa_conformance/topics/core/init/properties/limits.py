"""The reference count of the runtime at its limit, after as many calls as an int can count."""

from __future__ import annotations

import time
from typing import Final

from hsa_adapters import interrupts
from hsa_adapters.calls import Repeat
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import REFCOUNT_OVERFLOW
from hsa_reports import Verdict

proves = Proofs()

#: The count at which hsa_init has to refuse. Whether the call that reaches it succeeds is open.
LIMIT: Final = (1 << 31) - 1
#: Seconds in which it has to be reached; a runtime that is much slower is not held up so long.
LONGEST: Final = 600.0
#: Seconds of one burst of calls.
BURST: Final = 1.0


@proves("hsa_init/count-at-limit", initialised=False, fresh=True, examples=0.1, once=True)
def the_count_does_not_go_beyond_its_limit(scene: Scene) -> None:
    """Once hsa_init has succeeded 2147483647 times, a further call is refused as one too many.

    Most of the calls are made by a loop of machine code. Whether the last one before the limit
    succeeds is left open; where it does not, the limit is never reached.
    """
    scene.set_up("hsa_init")
    _count_to(scene, LIMIT - 1)
    last = scene.call("hsa_init")
    if not last.ok:
        reason = f"hsa_init answers {last.name} before its count is at the limit, as it may"
        raise Unavailable(Verdict.UNTESTED, reason)
    scene.require_status(scene.call("hsa_init"), REFCOUNT_OVERFLOW)


def _count_to(scene: Scene, wanted: int) -> None:
    """Initialise the runtime until it is counted so often.

    Raises:
        Unavailable: it takes too long, or a call fails on the way.

    """
    session, begun = scene.session, time.monotonic()
    first, pause = session.model.references, BURST
    while (left := wanted - session.model.references) > 0:
        interrupts.checkpoint()
        session.start("hsa_init", {}, Repeat(left, 0))
        time.sleep(pause)
        done = session.join()
        session.model.references += done.zeros
        if done.zeros != done.status:
            failed = f"hsa_init/success: a call failed after {session.model.references} of them"
            raise Unavailable(Verdict.BLOCKED, failed)
        spent = time.monotonic() - begun
        pace = max(session.model.references - first, 1) / spent
        if spent + (wanted - session.model.references) / pace > LONGEST:
            reason = f"{wanted} calls of hsa_init would take more than {LONGEST / 60:.0f} minutes"
            raise Unavailable(Verdict.UNTESTED, reason)
        pause = min(BURST, (wanted - session.model.references) / pace)
