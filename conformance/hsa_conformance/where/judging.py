"""The code that judges a clause: its checks, as a run makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hsa_adapters.faults import Refusal
from hsa_conformance.engine.checks.status.exports import export_result
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.choice.applicability import GeneralExclusions
from hsa_conformance.engine.running.choice.checks import Checks
from hsa_conformance.engine.topic import Topics
from hsa_conformance.where.place import Place, of_code
from hsa_spec import Clause, Kind, Registry


class Judging:
    """Finds the code that judges a clause of any library, on a machine that can be made to fail.

    Args:
        registry: the specification.
        topics: what the suite knows of the API.

    """

    def __init__(self, registry: Registry, topics: Topics) -> None:
        judge = Judge(registry, lambda _: True)
        lives = topics.lives(judge, frozenset(registry.functions))
        self._exclusions = GeneralExclusions(registry, topics)
        self._checks = Checks(
            self._exclusions.cases, judge, _IdleFaults(), _IdleFaults(), lives.checks(0)
        )

    def exclusion(self, clause: Clause) -> str | None:
        """Return why nothing judges a clause, None where something does."""
        return self._exclusions.reason(clause) or self._exclusions.lack(clause)

    def places(self, clause: Clause) -> Iterator[Place]:
        """Yield where the code of a clause's checks is; nothing for one that is not judged."""
        if self.exclusion(clause):
            return
        if clause.kind is Kind.EXPORT:
            yield of_code("check exported", export_result)
            return
        for check in self._checks.of(clause):
            yield of_code("check" if check.proof is None else "property", check.source)


class _IdleFaults:
    """Stands for a driver or a heap that can be made to fail, for checks that are never run."""

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def disarm(self) -> None:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def hits(self) -> int:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def watch(self) -> None:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def made(self) -> Mapping[str, int]:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def noted(self) -> Sequence[str]:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def alike(self) -> tuple[int, int]:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def beyond(self) -> int:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def lacking(self) -> Sequence[str]:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def executed(self) -> Mapping[str, str]:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def errors(self, call: str) -> Sequence[str]:
        """Return an errno for each call: a clause leads to its code if anything can be refused."""
        return ("ENOMEM",)

    def done(self, call: str) -> Refusal:
        """Refuse: nothing is run here."""
        raise NotImplementedError

    def left(self) -> int:
        """Refuse: nothing is run here."""
        raise NotImplementedError
