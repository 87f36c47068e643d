"""Queues from descriptors and queues that share hardware: no library that can be had has them."""

from __future__ import annotations

import pytest

from hsa_spec import Registry
from tests.library.suite.fake_engines import judged

CREATE, ACQUIRE = "hsa_amd_queue_create", "hsa_amd_counted_queue_acquire"
RELEASE, INFO = "hsa_amd_counted_queue_release", "hsa_amd_queue_get_info"

#: What the fake does wrong, and the clause that says so.
FAULTS = {
    "not null": f"{CREATE}/failed-null",
    "last error": f"{CREATE}/first-error",
    "bytes": f"{CREATE}/ring-size",
    "unmasked": f"{CREATE}/mask-applied",
    "turns": f"{CREATE}/any-copy-engine",
    "any": f"{INFO}/copy-engine",
    "users": f"{INFO}/use-count",
    "hardware": f"{INFO}/hardware-id",
    "faulty": f"{INFO}/no-fault",
    "same handle": f"{ACQUIRE}/handles-differ",
    "early sharing": f"{ACQUIRE}/new-up-to-limit",
    "first": f"{ACQUIRE}/least-used",
    "kept": f"{RELEASE}/count-falls",
    "hardware goes": f"{RELEASE}/hardware-stays",
}

#: Clauses of statuses, whose inputs have generators of their own, and effects that no fault breaks.
OTHERS = (
    f"{CREATE}/success",
    f"{CREATE}/descriptor-invalid",
    f"{CREATE}/version-unknown",
    f"{CREATE}/kind-unsupported",
    f"{CREATE}/queues-written",
    f"{CREATE}/partial-failure",
    f"{ACQUIRE}/shares-at-limit",
    f"{ACQUIRE}/flags-ignored",
    f"{RELEASE}/unknown",
)


def test_what_is_right_passes(registry: Registry) -> None:
    """Every clause holds for the fake without a fault."""
    results = judged(registry, "", [*FAULTS.values(), *OTHERS])
    assert [] == [(r.clause, r.check, r.verdict, r.reason) for r in results if r.verdict != "PASS"]


@pytest.mark.parametrize(("fault", "clause"), FAULTS.items())
def test_a_fault_is_blamed_on_its_clause(registry: Registry, fault: str, clause: str) -> None:
    """And fails it."""
    assert {(clause, "FAIL")} == {(r.clause, r.verdict) for r in judged(registry, fault, [clause])}
