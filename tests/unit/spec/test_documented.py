"""The statuses that headers document are data, and none of them is without a clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_spec import Registry, RegistryError
from hsa_spec.documented_statuses import documented_pairs, without_clause


@pytest.mark.parametrize(("version", "count"), [("1.11", 684), ("1.31", 772), ("hsa-1.1", 196)])
def test_every_documented_pair_has_a_clause(registry: Registry, version: str, count: int) -> None:
    """The lists are complete, and each status of a function is answered by a clause."""
    pairs = [p for p in documented_pairs() if version in p.versions]
    assert count == len(pairs)
    assert [] == without_clause(registry, pairs)


def test_the_list_is_what_the_registry_documents(registry: Registry) -> None:
    """What is documented in the newest headers is the same in both places."""
    newest = {"1.31", "hsa-1.1"}
    listed = {(p.function, p.status) for p in documented_pairs() if newest & {*p.versions}}
    assert listed == {
        (f.name, status)
        for f in registry.functions.values()
        for status in f.documented
        if f.header != "hsa_api_trace.h"
    }


def test_a_pair_without_a_clause_is_found(registry: Registry) -> None:
    """A status that no clause leads to is reported."""
    [pair, *_] = documented_pairs()
    missing = type(pair)("hsa_init", "HSA_STATUS_ERROR_INVALID_AGENT", ("1.31",))
    assert [missing] == without_clause(registry, [pair, missing])


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    """The error names file and line."""
    path = tmp_path / "pairs.txt"
    path.write_text("# a comment\nhsa_init HSA_STATUS_SUCCESS\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=r"pairs\.txt:2: expected FUNCTION STATUS VERSION"):
        documented_pairs(path)
