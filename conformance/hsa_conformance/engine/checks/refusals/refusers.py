"""Who refuses something during a call: the driver, or the C library, which has no memory left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.growth import ROUNDS
from hsa_reports import Verdict


@dataclass(frozen=True)
class Refuser:
    """Who refuses something, in words.

    Args:
        met: what is said of calls that it refused something.
        done: that something was refused, as a sentence.
        refused: the same of one kind of call.
        by: what made a call fail.
        lacks: what a function does that asks for nothing, such as "asks for no memory".
        unasked: the verdict of such a function.
        rounds: how many equal rounds show what calls leave behind that met a refusal.
        weighs: whether an answer, and a process that ends in the call, is as grave as the clause
            that is judged; otherwise it is what nobody owes who owes no more than good conduct.

    """

    met: str
    done: str
    refused: Callable[[str], str]
    by: str
    lacks: str
    unasked: Verdict
    rounds: int
    weighs: bool

    def nothing(self, function: str, counted: int) -> Unavailable:
        """Return why a function is not judged that asked for nothing in so many valid calls."""
        tried = f"{counted} valid calls in processes of their own"
        return Unavailable(self.unasked, f"{function} {self.lacks}, in {tried}")


DRIVER: Final = Refuser(
    met="that the driver refused something",
    done="the driver refused something",
    refused=lambda call: f"the driver refused {call}",
    by="the driver",
    lacks="makes no call that the driver can refuse",
    unasked=Verdict.NOT_APPLICABLE,
    rounds=ROUNDS,
    weighs=False,
)

HEAP: Final = Refuser(
    met="that met a refusal of memory",
    done="memory was refused",
    refused=lambda _: "memory was refused",
    by="a refusal of memory",
    lacks="asks for no memory",
    unasked=Verdict.UNTESTED,
    rounds=ROUNDS // 2,
    weighs=True,
)
