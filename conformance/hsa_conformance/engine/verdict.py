"""The one rule that turns what a library did into a verdict.

What happened is held against the clause that is blamed: the one under test if it holds for the
call, otherwise the strongest that does.

| What happened | `must` | `should` | `may` | `observed` |
| --- | --- | --- | --- | --- |
| an answer that no clause allows | FAIL | WARN | UNDOCUMENTED | not judged |
| a refusal of wrong input, with a status that the function does not document | UNDOCUMENTED | \
UNDOCUMENTED | UNDOCUMENTED | not judged |
| an effect is missing | FAIL | WARN | WARN | UNTESTED |
| the process ended | CRASH | CRASH | CRASH | CRASH |
| the call did not come back | HANG | HANG | HANG | HANG |

Where an `undefined` clause holds, any answer is right.
"""

from __future__ import annotations

from hsa_adapters.protocol import Ended
from hsa_reports import Verdict
from hsa_spec import Clause, Strength


def of_answer(blamed: Clause, *, undocumented_refusal: bool) -> Verdict:
    """Return the verdict on an answer that no clause allows.

    Args:
        blamed: the clause that it breaks.
        undocumented_refusal: the input was wrong, and was refused with a status that the function's
            text does not list.

    """
    if undocumented_refusal or blamed.strength is Strength.MAY:
        return Verdict.UNDOCUMENTED
    return Verdict.FAIL if blamed.strength is Strength.MUST else Verdict.WARN


def of_effect(broken: Clause) -> Verdict:
    """Return the verdict on a library that lacks what an effect clause states."""
    if broken.strength is Strength.OBSERVED:
        return Verdict.UNTESTED
    return Verdict.FAIL if broken.strength is Strength.MUST else Verdict.WARN


def of_end(end: Ended) -> Verdict:
    """Return the verdict on a call that its process did not survive."""
    return Verdict.HANG if end.kind == "HANG" else Verdict.CRASH
