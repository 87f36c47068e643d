"""Runs clauses one by one for a subject: what pytest items and tests call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hsa_adapters.protocol import Adapter, Ended
from hsa_adapters.release import from_queries
from hsa_conformance.applicability import Applicability
from hsa_conformance.calls import Out
from hsa_conformance.campaign import Campaign, Result
from hsa_conformance.checks import checks_for
from hsa_conformance.checks.exports import export_result
from hsa_conformance.findings import Unavailable
from hsa_conformance.judge import Judge
from hsa_conformance.lab import Lab
from hsa_conformance.session import Session
from hsa_conformance.suite.amd.vmem.machine import machine_checks
from hsa_spec import Clause, DecidedBy, Kind, Registry
from hsa_spec.releases import Release

#: What a library says of its own version, with the room for each answer in bytes.
_VERSION_QUERIES = {
    "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR": 2,
    "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR": 2,
    "HSA_AMD_SYSTEM_INFO_BUILD_VERSION": 512,
}


#: The most calls that are tried in one random sequence, by profile.
SEQUENCE_STEPS: Mapping[str, int] = {"quick": 60, "full": 120, "exhaustive": 200}

#: Verdicts that rest on what a call answered; a crash is a crash, whoever answered.
_ANSWERS = ("PASS", "FAIL", "WARN", "UNDOCUMENTED")

_UNREACHED = ("VACUOUS", "BLOCKED", "NOT_APPLICABLE")


@dataclass(frozen=True)
class Settings:
    """How a run is to be made."""

    profile: str = "quick"
    seed: int = 0
    expect_no_device: bool = False
    release: str | None = None


class Runner:
    """Judges clauses of one implementation.

    Args:
        adapter: the implementation.
        registry: the specification.
        settings: profile, seed and the like.

    Raises:
        AdapterError: the implementation cannot be started.

    """

    def __init__(self, adapter: Adapter, registry: Registry, settings: Settings) -> None:
        self.registry = registry
        self.lab = Lab(adapter, registry, expect_no_device=settings.expect_no_device)
        self.subject = self.lab.subject
        self.obstacle: Unavailable | None = None
        self.release, self.release_from = self._identify(settings.release)
        self.lab.release = self.release
        self.faults = adapter.faults()
        self.applicability = Applicability(
            registry, self.subject, self.release, failing=self.faults is not None
        )
        self.judge = Judge(registry, self.applicability.in_force)
        self.campaign = Campaign(self.lab, settings.profile, settings.seed)
        self.sequences = machine_checks(
            self.judge, self.subject.exports, SEQUENCE_STEPS[settings.profile]
        )

    @property
    def initialised(self) -> bool:
        """Tell whether the runtime could be initialised at least once."""
        return self.lab.initialised_once

    def complaints(self) -> Sequence[str]:
        """Return what kept the implementation from being judged on an imitated machine."""
        return self.lab.adapter.complaints()

    def close(self) -> None:
        """End every process."""
        self.lab.close()

    def run(self, clause: Clause, effort: float = 1.0) -> list[Result]:
        """Return the results of every check of a clause; never empty.

        Args:
            clause: the clause.
            effort: how many times the profile's number of examples.

        """
        unjudged = self.applicability.unjudged(clause)
        if unjudged is not None:
            return [Result(clause.id, "applicability", unjudged.verdict, unjudged.reason)]
        absent = self.lab.without_device
        if clause.id == "hsa_init/success" and absent is not None:
            return [Result(clause.id, "applicability", absent.verdict, absent.reason)]
        if clause.kind is Kind.EXPORT:
            return [export_result(clause, self.subject)]
        checks = checks_for(clause, self.registry, self.judge, self.faults)
        checks += [check for check in self.sequences if check.clause == clause.id]
        checks = [replace(check, examples=effort * check.examples) for check in checks]
        first, *others = [self._imitated(self.campaign.run(check)) for check in checks]
        # What a further check could not reach adds nothing; what the first could not, decides.
        return [first, *(r for r in others if r.verdict not in _UNREACHED)]

    def _imitated(self, result: Result) -> Result:
        """Take praise and blame from what an imitation of the driver or the devices decided."""
        decided_by = self.registry.clauses[result.clause].decided_by
        real = self.subject.machine is None or decided_by is DecidedBy.RUNTIME
        if real or result.verdict not in _ANSWERS:
            return result
        said = f"; here it would be {result.verdict}: {result.reason}" if result.failure else ""
        result.verdict = "IMITATED"
        result.reason = f"the {decided_by} decides this, and it is an imitation{said}"
        result.failure = None
        return result

    def _identify(self, told: str | None) -> tuple[Release, str | None]:
        """Find the release: what was told, else the library's own word, else its outside."""
        outside = self.subject.release
        answers: dict[str, int | str] = {}
        try:
            with self.lab.session(initialised=True) as session:
                answers = _queries(session)
        except Unavailable as obstacle:
            self.obstacle = obstacle
        if told:
            return Release.parse(told), "--release"
        interface = _interface(answers)
        own = from_queries(answers, self.registry)
        if own is not None and interface is not None:
            return Release.parse(str(own), interface), own.how
        return Release.parse(outside, interface), self.subject.release_from


def _queries(session: Session) -> dict[str, int | str]:
    """Ask the library for its own version."""
    answers: dict[str, int | str] = {}
    for name, size in _VERSION_QUERIES.items():
        attribute = session.registry.constants[name]
        try:
            answer = session.call("hsa_system_get_info", attribute=attribute, value=Out(size))
        except Ended:
            return answers  # that it died is for the clauses of the query to say
        if not answer.ok or answer.untouched("value"):
            continue
        if size == 2:
            answers[name] = answer.number("value")
        else:
            content = answer.outputs["value"] or b""
            answers[name] = content.partition(b"\0")[0].decode("ascii", "replace")
    return answers


def _interface(answers: Mapping[str, int | str]) -> str | None:
    parts = [answers.get(f"HSA_AMD_SYSTEM_INFO_EXT_VERSION_{p}") for p in ("MAJOR", "MINOR")]
    return None if None in parts else f"{parts[0]}.{parts[1]}"
