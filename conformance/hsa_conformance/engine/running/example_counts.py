"""How many examples a check gets: a profile says how many at most, and how long they may take.

Nothing looks at the clock while a check runs. How long an example of a clause takes was measured
before (the table comes with the suite), so one seed makes the same calls on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

from hsa_conformance.engine.checks.check import Check

#: The profile of long runs, whose length is a time; other clauses get what they get in a quick one.
SOAK: Final = "soak"
#: Examples for each side of each clause (satisfied, just missed), by profile.
PROFILES: Final[Mapping[str, int]] = {"quick": 10, "full": 64, "exhaustive": 500, SOAK: 10}
#: How many steps a random program has at most after its opening, by profile.
STEPS: Final[Mapping[str, int]] = {"quick": 60, "full": 120, "exhaustive": 200, SOAK: 60}
#: How many of its examples a check of threads makes in a long profile. No two of them run at one
#: time, however many processes a run has, and their rounds are many already.
_OF_THREADS: Final = 1 / 3
#: How many times the allowance the examples of one check may take, by profile.
_ALLOWED: Final[Mapping[str, float]] = {"quick": 1, SOAK: 1, "full": 150, "exhaustive": inf}
#: How many times the allowance of a check the ways before its call may take, and how many of them
#: it tries all the same.
_FOR_WAYS: Final = 2
_LEAST_WAYS: Final = 2
#: The profiles in which a person waits.
BRIEF: Final = ("quick", SOAK)


@dataclass(frozen=True)
class ExampleCounts:
    """What a profile spends.

    Args:
        profile: a key of PROFILES.
        costs: milliseconds of an example, by the id of its clause.
        allowance: milliseconds that the examples of one check may take in a brief profile, beside
            those in which a value is tried; a long one allows many times as much.
        interpreted: whether threads of the implementation take turns, as those of Python do: what
            they can show at one time, they show in the first example.

    """

    profile: str
    costs: Mapping[str, float] = field(default_factory=dict)
    allowance: float = float("inf")
    interpreted: bool = False

    def share(self, check: Check) -> float:
        """Return how many times the profile's number of examples a check gets."""
        if self.profile not in BRIEF:
            examples = check.examples * (_OF_THREADS if check.chance else 1)
            return self._affordable(check, examples, PROFILES["quick"] * examples)
        if check.chance:
            return check.examples / 2 if self.interpreted else check.examples
        if check.stepwise or check.fresh:
            return check.examples  # which was chosen with what they take in mind
        return self._affordable(check, check.examples, check.least)

    def _affordable(self, check: Check, examples: float, least: float) -> float:
        """Return as many examples as may take so long, as a share of the profile's number.

        Args:
            check: what they are of.
            examples: the share that it gets if they take little.
            least: how many it gets however long they take.

        """
        cost, usual = self.costs.get(check.clause, 0.0), PROFILES[self.profile] * examples
        allowed = self.allowance * _ALLOWED[self.profile]
        if usual * cost <= allowed:
            return examples
        return min(usual, max(least, allowed / cost)) / PROFILES[self.profile]

    def turns(self, check: Check) -> int:
        """Return how many ways before its call a check tries in a brief profile.

        What takes little tries many, which finds more in the same time.
        """
        cost = self.costs.get(check.clause, 0.0)
        affordable = int(_FOR_WAYS * self.allowance / cost) if cost else 0
        return min(check.turns, max(_LEAST_WAYS, affordable))
