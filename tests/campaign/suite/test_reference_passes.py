"""The suite over the reference: all that applies passes, and every side of it was tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from hsa_conformance.engine.checks.case import FAILING, case_of
from hsa_conformance.engine.running.choice.applicability import GeneralExclusions
from hsa_conformance.topics import TOPICS
from hsa_reports import Result, Run
from hsa_spec import Clause, Kind, Registry
from tests.library.suite.fake_results import Results

#: Clauses whose condition this machine or the arguments' nature never produces, and why.
NEVER_SATISFIED: Mapping[str, str] = {}

#: Clauses that nothing just misses, and why; those that leave a choice are none of them.
NEVER_MISSED: Mapping[str, str] = {
    "hsa_amd_memory_pool_free/success": "no clause that is judged speaks of other pointers",
    "hsa_amd_memory_pool_free/null": "what just misses it is a block, and freeing that succeeds",
    "hsa_amd_memory_unlock/success": "no clause that is judged speaks of other addresses",
    "hsa_amd_memory_migrate/success": "each of its refusals is shown by the clause of its own",
    **{
        f"hsa_amd_memory_{function}/{side}-agent-{slug}": "a bad signal is refused all the same"
        for function in ("async_copy", "async_copy_on_engine")
        for side in ("dst", "src")
        for slug in ("refused", "zero-dependencies")
    },
    **dict.fromkeys(
        (
            "hsa_amd_interop_unmap_buffer/success",
            "hsa_amd_interop_unmap_buffer/ptr-null",
            "hsa_amd_interop_unmap_buffer/not-mapped",
        ),
        "whatever is unmapped, the call succeeds",
    ),
    **dict.fromkeys(
        (
            "hsa_code_object_destroy/success",
            "hsa_code_object_reader_destroy/success",
            "hsa_executable_destroy/success",
            "hsa_signal_group_destroy/success",
            "hsa_amd_spm_acquire/success",
            "hsa_amd_spm_release/success",
            "hsa_amd_svm_prefetch_async/success",
            "hsa_amd_svm_prefetch_async/no-completion-signal",
            "hsa_amd_svm_prefetch_async/dependencies-ignored",
            "hsa_amd_vmem_handle_release/success",
            "hsa_ext_image_destroy/success",
            "hsa_ext_image_destroy_v2/success",
            "hsa_ext_program_destroy/success",
            "hsa_ext_sampler_destroy/success",
        ),
        "what just misses it has a handle that no call returned, which nobody need validate",
    ),
    "hsa_amd_agent_set_async_scratch_limit/success": "a limit above the greatest is undefined",
    "hsa_amd_enable_logging/success": "without flags it may succeed, too",
    **{
        f"hsa_amd_svm_discard_batch_async/{slug}": "its GPUs retry no faults: no call succeeds"
        for slug in ("ptrs-null", "no-retries")
    },
    "hsa_memory_free/success": "no clause that is judged speaks of other pointers",
    "hsa_memory_free/null": "what just misses it is a block, and freeing that succeeds",
    "hsa_memory_copy/nothing": "a copy of something succeeds, and NULL with a size of 0 may",
    "hsa_memory_register/nothing": "what just misses it is memory, which can be registered",
    "hsa_memory_deregister/success": "no clause that is judged speaks of other ranges",
    "hsa_memory_deregister/nothing": "what just misses it is a range that is registered",
    **{
        f"hsa_executable_load_program_code_object/{slug}": "the suite has no code for all agents"
        for slug in (
            "no-code",
            "incompatible",
        )
    },
    "hsa_executable_freeze/success": "code that lacks a definition is never loaded",
    **{
        f"hsa_amd_{slug}": "a right call takes more than its conditions say"
        for slug in (
            *("queue_intercept_create/queue-null", "queue_intercept_create/type-unsupported"),
            *("queue_intercept_create/size-no-power-of-two", "queue_intercept_create/success"),
            *("queue_intercept_create/size-too-small", "queue_intercept_create/type-unknown"),
            "queue_intercept_create/size-too-large",
            *(
                "runtime_queue_create_register/callback-null",
                "runtime_queue_create_register/success",
            ),
        )
    },
    **{
        f"hsa_ven_amd_aqlprofile_{slug}": "a right call takes more than its conditions say"
        for slug in (
            *("att_marker/profile-null", "att_marker/success"),
            *("att_marker/aql-marker-packet-null", "att_marker/channel-unknown"),
            *("att_marker/profile-invalid", "get_info/profile-invalid", "get_info/counter-read"),
            *("get_info/trace-read", "get_info/block-known", "get_info/block-unknown"),
            *("iterate_event_coord/callback-null", "iterate_event_coord/success"),
        )
    },
    **{
        f"hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size/{slug}": (
            "what just misses it has an answer that is right for it, too"
        )
        for slug in ("file-invalid-reader-null", "no-code-reader-null")
    },
}

pytestmark = pytest.mark.every_commit


@pytest.fixture(scope="module")
def results(judged_reference: Run) -> Results:
    """The results of all clauses."""
    return {clause: list(found) for clause, found in judged_reference.by_clause.items()}


def leaves_a_choice(clause: Clause) -> bool:
    """Return whether success is one answer of several: what just misses it may be as open."""
    return "HSA_STATUS_SUCCESS" in clause.status and len(clause.status) > 1


def says_why_not(results: Iterable[Result], check: str) -> bool:
    """Return whether a check says itself that this suite cannot make it here."""
    return any((r.check, r.verdict) == (check, "UNTESTED") for r in results)


def judged_clauses(registry: Registry, results: Results) -> list[Clause]:
    """Return the testable status clauses of this release that need no failing machine."""
    return [
        clause
        for clause in map(registry.clauses.__getitem__, results)
        if clause.kind is Kind.STATUS
        and not GeneralExclusions(registry, TOPICS).reason(clause)
        and FAILING not in clause.needs
        and "NOT_APPLICABLE" not in {r.verdict for r in results[clause.id]}
    ]


def test_reference_passes(results: Results) -> None:
    """Nothing speaks against the reference, and nothing of it is vacuous or blocked."""
    found = {
        clause: [(r.verdict, r.check, r.reason) for r in several]
        for clause, several in results.items()
        if {r.verdict for r in several} - {"PASS", "UNTESTED", "NOT_APPLICABLE"}
    }
    assert {} == found


def test_every_status_clause_was_satisfied(registry: Registry, results: Results) -> None:
    """At least one call met the condition of each clause."""
    missed = {
        clause.id
        for clause in judged_clauses(registry, results)
        if not any(r.satisfied for r in results[clause.id])
        and not says_why_not(results[clause.id], "satisfied")
    }
    assert NEVER_SATISFIED.keys() == missed


def test_every_status_clause_was_just_missed(registry: Registry, results: Results) -> None:
    """Where arguments decide a clause, at least one call just missed its condition.

    Where a text leaves any answer right, a miss would prove as little.
    """
    hit = {
        clause.id
        for clause in judged_clauses(registry, results)
        if registry.functions[clause.function].topic in TOPICS.by_name
        and case_of(clause, registry).can_miss
        and not leaves_a_choice(clause)
        and not clause.open
        and not any(r.near_misses for r in results[clause.id])
        and not says_why_not(results[clause.id], "near miss")
    }
    assert NEVER_MISSED.keys() == hit


def test_exceptions_are_clauses(registry: Registry) -> None:
    assert NEVER_SATISFIED.keys() | NEVER_MISSED.keys() <= registry.clauses.keys()


def test_quick_run_has_examples_enough(registry: Registry, results: Results) -> None:
    """A quick run of the virtual memory API makes 2000 examples that count."""
    functions = {f.name for f in registry.functions.values() if f.topic == "amd/vmem"}
    found = [r for c in results if registry.clauses[c].function in functions for r in results[c]]
    assert 2000 <= sum(c.satisfied + c.near_misses for c in found)
