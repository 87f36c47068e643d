"""Who refuses something during a call: the driver, or the C library, which has no memory left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.checks.rounds import ROUNDS
from hsa_conformance.engine.outcomes import Unavailable
from hsa_reports import Verdict


@dataclass(frozen=True)
class Refuser:
    """Who refuses something, in words.

    Args:
        met: what is said of calls that it refused something.
        done: that something was refused, as a sentence.
        refused: the same of one kind of call.
        by: what made a call fail.
        nothing: the reason where a function asks for nothing, which takes the number of its calls.
        rounds: how many equal rounds show what calls leave behind that met a refusal.
        weighs: whether an answer, and a process that ends in the call, is as grave as the clause
            that is judged; otherwise it is what nobody owes who owes no more than good conduct.

    """

    met: str
    done: str
    refused: Callable[[str], str]
    by: str
    nothing: Callable[[str, int], Unavailable]
    rounds: int
    weighs: bool


def _nothing_of_driver(function: str, counted: int) -> Unavailable:
    reason = f"{function} makes no call that the driver can refuse"
    tried = f"{counted} valid calls in processes of their own"
    return Unavailable(Verdict.NOT_APPLICABLE, f"{reason}, in {tried}")


def _no_memory(function: str, counted: int) -> Unavailable:
    reason = f"{function} asks the C library for no memory"
    tried = f"{counted} valid calls in processes of their own"
    return Unavailable(Verdict.UNTESTED, f"{reason}, in {tried}")


DRIVER: Final = Refuser(
    met="that the driver refused something",
    done="the driver refused something",
    refused=lambda call: f"the driver refused {call}",
    by="the driver",
    nothing=_nothing_of_driver,
    rounds=ROUNDS,
    weighs=False,
)

HEAP: Final = Refuser(
    met="that met a refusal of memory",
    done="memory was refused",
    refused=lambda _: "memory was refused",
    by="a refusal of memory",
    nothing=_no_memory,
    rounds=ROUNDS // 2,
    weighs=True,
)
