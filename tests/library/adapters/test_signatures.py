"""From C types to codes."""

from __future__ import annotations

import pytest

from hsa_adapters.signatures import code, signatures
from hsa_spec import Registry
from tests.library.adapters.fixture_registry import function, make_registry


@pytest.mark.parametrize(
    ("c_type", "expected"),
    [
        ("void", "void"),
        ("bool", "bool"),
        ("int", "i32"),
        ("uint8_t", "u8"),
        ("uint16_t", "u16"),
        ("uint32_t", "u32"),
        ("const uint64_t", "u64"),
        ("size_t", "size"),
        ("void*", "ptr"),
        ("const char **", "ptr"),
        ("hsa_agent_t", "u64"),
        ("hsa_agent_t*", "ptr"),
        ("hsa_status_t", "u32"),
        ("signed_t", "i32"),
        ("pair_t", "struct:24"),
        ("number_t", "i64"),
        ("callback:visitor", "callback:visitor"),
        ("visitor", "callback:visitor"),
    ],
)
def test_a_c_type_has_a_code(registry: Registry, c_type: str, expected: str) -> None:
    """Enums are unsigned unless a value is negative; handles are their 64 bits."""
    assert code(registry, c_type) == expected


def test_signatures_hold_functions_and_callbacks(registry: Registry) -> None:
    """This is what the worker is told."""
    found = signatures(registry)
    assert found["functions"]["fx_iterate"] == {
        "result": "u32",
        "args": ["u32", "callback:visitor", "ptr"],
    }
    assert found["callbacks"]["allocator"] == {"result": "ptr", "args": ["size"]}


def test_a_type_without_a_code_is_named() -> None:
    """The message names the function and the type."""
    registry = make_registry([function("f", "void", "long double")])
    with pytest.raises(ValueError, match="f: no code for the C type 'long double'"):
        signatures(registry)
