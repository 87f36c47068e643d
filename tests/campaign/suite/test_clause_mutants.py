"""Every check can fail: each catches a reference that breaks its clause, and blames that clause.

The tests take a sample of the clauses; the environment variable HSA_TEST_CLAUSE_MUTANTS says how
many, and `tox -e clause-mutants` takes all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from hsa_adapters import InProcessAdapter
from hsa_conformance.engine.checks.case import FAILING
from hsa_conformance.engine.running.choice.applicability import GeneralExclusions
from hsa_conformance.engine.running.failures import shortening
from hsa_conformance.topics import TOPICS
from hsa_reference import implemented
from hsa_reference.checks import release
from hsa_reports import TextReading, Verdict
from hsa_spec import Clause, Source, load
from hsa_spec.evaluation import is_enforced
from hsa_spec.model import Reading
from tests.wrong.clauses import enforcing, with_clause
from tests.wrong.drawing import draw
from tests.wrong.fates import Fate, Mistake, Outcome
from tests.wrong.inside import results

REGISTRY = load()
_FIRST = "another clause, which the registry lists first, has an answer that is as right"
_PART = "hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size"
_NO_WAY = "the suite cannot read the ways to sample, and another one is refused as such"
_ALL_AGENTS = "the suite has no code for all agents"
#: Clauses by which the reference answers no call of the suite, and why.
UNUSED = {
    "hsa_executable_agent_global_variable_define/name-unknown-frozen": _FIRST,
    "hsa_executable_global_variable_define/name-unknown-frozen": _FIRST,
    "hsa_executable_readonly_variable_define/name-unknown-frozen": _FIRST,
    "hsa_executable_get_symbol/agent-invalid": _FIRST,
    "hsa_executable_get_symbol_by_name/agent-invalid": _FIRST,
    f"{_PART}/file-invalid-reader-null": _FIRST,
    f"{_PART}/no-code-reader-null": _FIRST,
    "hsa_ven_amd_loader_query_segment_descriptors/count-zero-differs": _FIRST,
    "hsa_executable_load_program_code_object/frozen": _ALL_AGENTS,
    "hsa_executable_load_program_code_object/loaded-before": _ALL_AGENTS,
    "hsa_executable_freeze/variable-undefined": "code that lacks a definition is never loaded",
    "hsa_amd_ipc_memory_attach/no-access": "every agent reaches the memory of GPUs",
    **{
        f"hsa_amd_svm_discard_batch_async/{slug}": "its GPUs retry no faults: no call succeeds"
        for slug in (
            "sizes-null",
            "count-zero",
            "dependencies-inconsistent",
            "dependencies-without-count",
            "dependencies-invalid",
            "completion-signal-invalid",
            "not-reserved",
        )
    },
    "hsa_amd_queue_cu_set_mask/units-parted": "its GPUs have no pairs of compute units",
    "hsa_amd_queue_create/kind-unsupported": "it looks at the queues of a list one by one",
    "hsa_amd_memory_lock_to_pool/pool-out-of-reach": "every agent reaches the memory of CPUs",
    "hsa_amd_memory_async_copy_on_engine/engine-unknown": "its GPUs have all engines",
    **{
        f"hsa_ven_amd_pcs_create{variant}/{slug}": _NO_WAY
        for variant in ("", "_from_id")
        for slug in (
            "method-unknown",
            "units-unknown",
            "buffer-size-zero",
            "buffer-size-not-whole-samples",
            "busy",
        )
    },
    "hsa_ven_amd_pcs_create_from_id/pcs-id-unknown": _NO_WAY,
    **{
        clause.id: "nobody knows which modules a finalizer can compile"
        for clause in REGISTRY.functions["hsa_ext_program_finalize"].clauses
        if "finalizer" in clause.needs and not clause.slug.startswith(("program-", "isa-"))
    },
    "hsa_amd_agent_set_async_scratch_limit/unsupported": "its GPUs reclaim scratch memory",
    "hsa_amd_memory_async_copy/dst-agent-zero": "until ROCm 5.3, which the reference is not",
    "hsa_amd_memory_async_copy/src-agent-zero": "until ROCm 5.3, which the reference is not",
}
ENFORCED = [
    clause
    for clause in implemented(REGISTRY).clauses.values()
    if is_enforced(clause)
    and clause.id not in UNUSED
    and release().has(clause.versions) is not False
    and not clause.open  # any status is right
    and not GeneralExclusions(REGISTRY, TOPICS).reason(clause)
    and FAILING not in clause.needs
]
# One seed: each process of a parallel run has to collect the same tests.
SAMPLE = list(
    islice(
        draw(ENFORCED, lambda clause: ("status", clause.function), Random(0)),
        int(os.environ.get("HSA_TEST_CLAUSE_MUTANTS", "150")),
    )
)


def another_error(clause: Clause) -> str:
    """Return an error that the clause does not allow, one that the function documents if it can."""
    documented = REGISTRY.functions[clause.function].documented
    candidates = (*documented, "HSA_STATUS_ERROR", "HSA_STATUS_ERROR_INVALID_QUEUE")
    return next(s for s in candidates if s not in ("HSA_STATUS_SUCCESS", *clause.status))


def reference_that_breaks(clause: Clause) -> InProcessAdapter:
    """Return the adapter of a reference whose argument check answers with another error."""
    broken = replace(clause, status=(another_error(clause),))
    return enforcing(with_clause(REGISTRY, broken), REGISTRY)


def accused(monkeypatch: pytest.MonkeyPatch, clause: Clause) -> Mapping[str, Verdict]:
    """Return the clauses that a reference fails which breaks one, with their verdicts."""
    monkeypatch.setitem(shortening.SHORTER, "quick", 0)
    found = results(reference_that_breaks(clause), REGISTRY, clause.id)
    return {r.clause: r.verdict for r in found if r.verdict in ("FAIL", "WARN", "UNDOCUMENTED")}


@pytest.mark.parametrize("clause", SAMPLE, ids=lambda clause: clause.id)
def test_a_wrong_status_is_blamed_on_the_clause_that_it_breaks(
    monkeypatch: pytest.MonkeyPatch, keep: Callable[[Fate], None], clause: Clause
) -> None:
    found = accused(monkeypatch, clause)
    mistake = Mistake("clause-mutants", "status", clause.id, {clause.function})
    if {clause.id} == found.keys():
        keep(mistake.fate(Outcome.BLAMED, found))
    else:
        why = "others blamed" if found else "not noticed"
        keep(mistake.fate(Outcome.SURVIVED, others=found, why=why))
    assert {clause.id} == found.keys()


@pytest.mark.parametrize("clause", UNUSED)
def test_no_call_is_answered_by_a_clause_that_is_said_not_to_be_used(
    monkeypatch: pytest.MonkeyPatch, clause: str
) -> None:
    assert {} == accused(monkeypatch, REGISTRY.clauses[clause])


def test_a_failure_has_the_readings_of_the_contested_clause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each text with its answer, none of which the library gave."""
    monkeypatch.setitem(shortening.SHORTER, "quick", 0)
    clause = next(c for c in ENFORCED if c.slug == "size-zero")
    texts = [Source("hsa.h", name) for name in ("one", "other")]
    statuses = (clause.status[0], "HSA_STATUS_ERROR_INVALID_REGION")
    readings = tuple(Reading(t, (s,)) for t, s in zip(texts, statuses, strict=True))
    contested = replace(clause, status=statuses, contested=readings)
    registry = with_clause(REGISTRY, contested)
    judged = results(reference_that_breaks(contested), registry, contested.id)
    failures = [r.failure for r in judged if r.failure]
    expected = {
        TextReading(clause.id, "hsa.h, one", statuses[0]),
        TextReading(clause.id, "hsa.h, other", statuses[1]),
    }
    assert failures
    assert all(expected == set(failure.readings) for failure in failures)
