"""The loader: what is right passes, and each fault is blamed on its clause."""

from __future__ import annotations

import pytest

from hsa_spec import Registry
from tests.library.suite.fake_loader import put_over

PREFIX = "hsa_ven_amd_loader_"

#: What the fake does wrong, and the clause that says so.
FAULTS = {
    "null translated": "query_host_address/device-address-null",
    "next to it": "query_host_address/same-bytes",
    "translates": "query_host_address/host-address-kept",
    "null described": "query_segment_descriptors/descriptors-null",
    "none described": "query_segment_descriptors/count-zero-differs",
    "any count": "query_segment_descriptors/count-differs",
    "no count": "query_segment_descriptors/count-written",
    "one too many": "query_segment_descriptors/counts-agree",
    "kept nowhere": "query_segment_descriptors/storage",
    "described for good": "query_segment_descriptors/complete",
    "bit by bit": "query_segment_descriptors/complete",
    "unlocks others": "query_segment_descriptors/creating-meanwhile",
    "any executable": "query_executable/address-unknown",
    "the first": "query_executable/that-executable",
    "of all": "executable_iterate_loaded_code_objects/each-once",
    "goes on": "executable_iterate_loaded_code_objects/stops-early",
    "own status": "iterate_executables/stops-early",
    "any attribute": "loaded_code_object_get_info/attribute-unknown",
    "no kind": "loaded_code_object_get_info/value-of-type",
    "too wide": "loaded_code_object_get_info/value-of-type",
    "other executable": "loaded_code_object_get_info/executable-known",
    "too long": "loaded_code_object_get_info/uri-length",
    "no scheme": "loaded_code_object_get_info/uri-form",
    "bad argument": "code_object_reader_create_from_file_with_offset_size/file-invalid",
    "whole file": "code_object_reader_create_from_file_with_offset_size/that-part",
    "no callback": "iterate_executables/callback-null",
    "twice": "iterate_executables/each-once",
    "data": "iterate_executables/each-once",
    "nobody waits": "iterate_executables/others-wait",
}

#: What the specification leaves to a loader.
ALLOWED = {
    "its own code": "query_segment_descriptors/complete",
    "no executable": "executable_iterate_loaded_code_objects/executable-unknown-handle",
    "no code object": "loaded_code_object_get_info/loaded-code-object-unknown-handle",
}

#: What is declared not to be tested, and what needs a driver that fails.
UNTESTED = {
    "query_host_address/after-executable",
    "loaded_code_object_get_info/not-frozen",
    "loaded_code_object_get_info/value-not-defined",
    "loaded_code_object_get_info/value-too-small",
    "code_object_reader_create_from_file_with_offset_size/file-closed",
    "code_object_reader_create_from_file_with_offset_size/out-of-resources",
    "iterate_executables/callback-changes",
}


def test_an_honest_loader_passes(registry: Registry) -> None:
    """Every clause is judged that can be, and none fails."""
    found = {
        clause.removeprefix(PREFIX): {str(result.verdict) for result in results}
        for clause, results in put_over(registry, "", "loader/loader").items()
    }
    expected = {
        # No driver is beneath it that could refuse anything.
        name: {"UNTESTED" if name in UNTESTED or name.endswith("/driver-refuses") else "PASS"}
        for name in found
    }
    assert expected == found
    assert set(found) >= UNTESTED


@pytest.mark.parametrize(("fault", "clause"), FAULTS.items())
def test_a_fault_is_blamed_on_its_clause(registry: Registry, fault: str, clause: str) -> None:
    """The clause that speaks of what is wrong fails."""
    [results] = put_over(registry, fault, PREFIX + clause).values()
    blamed = {r.clause for r in results if str(r.verdict) in ("FAIL", "WARN")}
    assert {PREFIX + clause} == blamed, results


@pytest.mark.parametrize(("choice", "clause"), ALLOWED.items())
def test_what_no_text_forbids_is_right(registry: Registry, choice: str, clause: str) -> None:
    """A loader may have code of its own, and need not validate objects."""
    [results] = put_over(registry, choice, PREFIX + clause).values()
    assert {"PASS"} == {str(r.verdict) for r in results}
