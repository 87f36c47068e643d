"""What the starts of the runtime, in all processes of a run, say of the functions that they call.

Every process that an example needs begins with hsa_init, and with questions to the machine. A start
that fails is a finding whatever was selected: it counts as what it is once fresh processes show it
again, and by the rule for what they do not show again otherwise.
"""

from __future__ import annotations

from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, Violation
from hsa_conformance.engine.judging.deaths import finding_of_end
from hsa_conformance.engine.judging.rejection import rejection
from hsa_conformance.engine.judging.verdict import of_doubt
from hsa_reports import STARTS, Result, Verdict
from hsa_spec import Registry

#: In how many fresh processes the runtime has to fail to start before it counts as unable to.
TRIES: Final = 3


class StartFailures:
    """Collects what is found about these functions beside the checks of their clauses.

    Args:
        registry: the specification.

    """

    def __init__(self, registry: Registry) -> None:
        self._clauses = registry.clauses
        self._shown: dict[str, Result] = {}
        self._found: list[Result] = []
        self._findings: set[tuple[str, Verdict]] = set()

    def failed(self, blocked: Blocked) -> None:
        """Note a start that failed, and failed again in fresh processes."""
        found = self.violation(blocked)
        failure = found.failure(blocked.steps)
        shown = Result(found.clause, STARTS, found.verdict, found.summary, failure=failure)
        self._shown[found.clause] = shown
        self._note(shown)

    def unsteady(self, clause: str, how: str, end: Ended | None) -> None:
        """Note a start that failed in one fresh process and not in the next.

        Args:
            clause: id of the clause that it broke.
            how: what was answered, or how the process ended.
            end: its end, if it ended.

        """
        doubt = f"not in another fresh process: {how}"
        self._note(Result(clause, STARTS, *of_doubt(end, doubt)))

    def take(self) -> list[Result]:
        """Return what was found since the last time."""
        found, self._found = self._found, []
        return found

    def instead(self, result: Result) -> Result:
        """Return a result, or what starts have shown of its clause if that is blocked by itself."""
        blocks_itself = result.blocked_by == result.clause
        return self._shown.get(result.clause, result) if blocks_itself else result

    def violation(self, blocked: Blocked) -> Violation:
        """Return the finding that a start failed."""
        clause = self._clauses[blocked.clause]
        if blocked.end is not None:
            # A start makes valid calls alone, though the model learns only from them that they are.
            return finding_of_end(blocked.end, clause, [clause], [])
        return rejection(blocked, clause)

    def _note(self, result: Result) -> None:
        """Keep a result; the same verdict again adds nothing."""
        if (result.clause, result.verdict) not in self._findings:
            self._findings.add((result.clause, result.verdict))
            self._found.append(result)
