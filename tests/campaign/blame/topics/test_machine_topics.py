"""Architectures, caches, extensions, events: what is right passes, and each fault is blamed."""

from __future__ import annotations

import pytest

from hsa_spec import Registry
from tests.library.suite.fake_machine import put_over

#: What the fake does wrong, and the clause that says so.
FAULTS = {
    "data": "hsa_agent_iterate_isas/passes-data",
    "status": "hsa_agent_iterate_isas/returns-callback-status",
    "order": "hsa_agent_iterate_isas/same-order",
    "length": "hsa_isa_get_info_alt/name-length",
    "room": "hsa_isa_get_info_alt/value-of-type",
    "modes of base": "hsa_isa_get_info_alt/base-rounding-modes",
    "group": "hsa_isa_get_info_alt/workgroup-limits",
    "grid": "hsa_isa_get_info_alt/grid-limits",
    "fbarriers": "hsa_isa_get_info_alt/fbarriers",
    "index": "hsa_isa_get_info/index-out-of-range",
    "any name": "hsa_isa_from_name/name-unknown",
    "other": "hsa_isa_from_name/same-handle",
    "not itself": "hsa_isa_compatible/itself",
    "descending": "hsa_agent_iterate_caches/ascending",
    "twice": "hsa_agent_iterate_caches/each-once",
    "address": "hsa_cache_get_info/name",
    "level": "hsa_cache_get_info/level",
    "mask": "hsa_system_extension_supported/agrees-with-mask",
    "unheard": "hsa_system_extension_supported/answer",
    "newest": "hsa_system_extension_supported/agrees-with-major",
    "agent": "hsa_agent_extension_supported/only-if-system",
    "no table": "hsa_system_get_major_extension_table/success",
    "hole": "hsa_system_get_major_extension_table/filled",
    "long": "hsa_system_get_major_extension_table/not-beyond-length",
    "user data": "hsa_amd_register_deallocation_callback/called",
    "still called": "hsa_amd_deregister_deallocation_callback/not-called",
    "silent": "hsa_amd_register_system_event_handler/told-of-shutdown",
    "one for all": "hsa_amd_pointer_info_set_userdata/reads-back",
    "type": "hsa_amd_coherency_get_type/known",
}


def verdicts(registry: Registry, fault: str, *clauses: str) -> dict[str, set[str]]:
    """Return the verdicts of the results by the clause that they are about."""
    found: dict[str, set[str]] = {}
    for results in put_over(registry, fault, *clauses).values():
        for result in results:
            found.setdefault(result.clause, set()).add(result.verdict)
    return found


def test_what_is_right_passes(registry: Registry) -> None:
    """Every clause that some fault breaks holds without it."""
    expected = {clause: {"PASS"} for clause in FAULTS.values()}
    assert expected == verdicts(registry, "", *FAULTS.values())


@pytest.mark.parametrize(("fault", "clause"), FAULTS.items())
def test_a_fault_is_blamed_on_its_clause(registry: Registry, fault: str, clause: str) -> None:
    """The verdict is the one of the clause's strength."""
    expected = "FAIL" if registry.clauses[clause].strength == "must" else "WARN"
    assert expected in verdicts(registry, fault, clause)[clause]
