"""The one rule that turns what a library did into a verdict.

What happened is held against the clause that is blamed: the one under test if it holds for the
call, otherwise the strongest that does. Wrong is wrong: it makes no difference which wrong status
came back, or whether the function's text lists it.

| What happened | `must` | `should` | `may` | `observed` |
| --- | --- | --- | --- | --- |
| an answer that no clause allows | FAIL | WARN | WARN | UNTESTED |
| an effect is missing | FAIL | WARN | WARN | UNTESTED |
| a refusal costs something after its call | WARN | WARN | WARN | UNTESTED |

The last row is about calls that are refused, and about requests that the driver or the C library
refuses during one call: no text says in as many words that objects, other calls and the memory of
the process must not suffer.

Where an `undefined` clause holds, or one of the texts of a contested clause leaves the call
undefined, any answer is right, and an effect may be missing. Where no clause speaks of the input
at all, a refusal with a status that the function's text does not list is UNDOCUMENTED, and any
other answer is right. Where clauses hold that bind no status, a success has its effects all the
same: it writes its outputs, and no byte next to them.

A process that ends, or does not come back, is held against all clauses that hold for the call that
it happened in, whichever clause was under test:

| Among the clauses that hold for the call | it ended | it did not come back |
| --- | --- | --- |
| a `must` that no other text contests, and none that is `undefined` | CRASH | HANG |
| anything else, or nothing | FRAGILE | FRAGILE |

What a sanitizer reports that belongs to no single call, such as a race, is a WARN at each of the
calls that it is about: the process ended before an answer could be another one.

Dying is never one of the readings of a contested clause, whatever its texts leave open.

All of this counts once a fresh process shows it again. What none shows again is held against this:

| How the process ended | Fresh processes | Verdict |
| --- | --- | --- |
| by SIGKILL or SIGSTOP, from outside or from a system that lacks memory | three | NOT_RUN |
| in another way, or not at all | one | FLAKY |

These may hit a fresh process as well as any other, so it takes a second one there, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Violation
from hsa_reports import Verdict
from hsa_spec import Clause, Strength

#: How many fresh processes have to survive what another one did not that a signal from outside may
#: have ended.
SURVIVORS: Final = 3
_FROM_OUTSIDE: Final = re.compile(r"SIG(KILL|STOP)\b")


def of_breach(broken: Clause, *, stated: bool = True) -> Verdict:
    """Return the verdict on an answer that breaks a clause, or an effect that is missing.

    Args:
        broken: the clause.
        stated: whether a text says in as many words that this breaks it.

    """
    if broken.strength is Strength.OBSERVED or broken.open:
        return Verdict.UNTESTED
    return Verdict.FAIL if stated and broken.strength is Strength.MUST else Verdict.WARN


def of_unlisted_refusal(holding: Sequence[Clause]) -> Verdict | None:
    """Return the verdict on a refusal whose status the function's text does not list, if any.

    Args:
        holding: the clauses that hold for the call; they alone decide where there are some.

    """
    return None if holding else Verdict.UNDOCUMENTED


def demands_survival(holding: Sequence[Clause]) -> Sequence[Clause]:
    """Return which of the clauses that hold for a call demand that its process survives it."""
    if any(c.strength is Strength.UNDEFINED for c in holding):
        return ()
    return [c for c in holding if c.strength is Strength.MUST and not c.contested]


def of_end(end: Ended, holding: Sequence[Clause]) -> Verdict:
    """Return the verdict on a call that its process did not survive.

    Args:
        end: how it ended.
        holding: the clauses that hold for the call.

    """
    if end.between is not None:
        return Verdict.WARN
    if not demands_survival(holding):
        return Verdict.FRAGILE
    return Verdict.HANG if end.kind == "HANG" else Verdict.CRASH


def killed(seen: Ended | Violation | None) -> bool:
    """Return whether it is a process that was ended as other processes end one: by a signal."""
    return seen is not None and bool(_FROM_OUTSIDE.match(seen.detail or ""))


def of_doubt(seen: Ended | Violation | None, doubt: str) -> tuple[Verdict, str]:
    """Return the verdict on what fresh processes do not show again, and its reason.

    Args:
        seen: what was seen once; None where only its words are known.
        doubt: these words.

    """
    if killed(seen):
        return Verdict.NOT_RUN, f"killed from outside, or for memory: {doubt}"
    return Verdict.FLAKY, doubt
