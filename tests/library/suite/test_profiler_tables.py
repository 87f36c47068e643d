"""Runtimes that hand out an imitated profiler's functions: each mistake of theirs is blamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.virtual_kfd import ImitatedAdapter, load_machine
from hsa_conformance.selection.names import select
from hsa_conformance.topics import TOPICS
from hsa_reports import Verdict, worst
from hsa_spec import Registry
from tests.wrong.inside import by_clause

TABLE = "hsa_system_get_major_extension_table"
OLDER = "hsa_system_get_extension_table"
MASK = "hsa_system_major_extension_supported/agrees-with-mask"
START = "hsa_ven_amd_aqlprofile_start"

CLAUSES = (
    *(f"{TABLE}/{slug}" for slug in ("success", "filled", "named", "table-not-kept")),
    *(f"{OLDER}/{slug}" for slug in ("success", "filled", "named")),
    f"{TABLE}/not-beyond-length",
    MASK,
)

Judged = Callable[..., dict[str, Verdict]]


@pytest.fixture(scope="module")
def judged(registry: Registry, fake: Callable[..., Path]) -> Judged:
    """Return a function that judges clauses of the fake with a mistake, on an imitated machine."""

    def judged(*clauses: str, **defines: object) -> dict[str, Verdict]:
        library = LibraryAdapter(fake("profiler", **defines), registry)
        adapter = ImitatedAdapter(library, load_machine("gfx90a"))
        found = by_clause(adapter, registry, select(registry, TOPICS, clauses))
        return {c: worst(Verdict(r.verdict) for r in results) for c, results in found.items()}

    return judged


def test_a_runtime_that_hands_them_out_rightly_passes(judged: Judged) -> None:
    assert dict.fromkeys(CLAUSES, Verdict.PASS) == judged(*CLAUSES)


def test_the_profilers_own_answers_are_no_praise_for_the_runtime(judged: Judged) -> None:
    """They are the imitation's, whatever the runtime is like."""
    clauses = [f"{START}/{slug}" for slug in ("success", "packet-null", "commands-alone")]
    assert dict.fromkeys(clauses, Verdict.IMITATED) == judged(*clauses)


@pytest.mark.parametrize(
    ("mistake", "clause"),
    [
        ("FAKE_SWAPPED", f"{TABLE}/named"),
        ("FAKE_SHIFTED", f"{OLDER}/named"),
        ("FAKE_NULL", f"{TABLE}/filled"),
        ("FAKE_UNWRITTEN", f"{OLDER}/filled"),
        ("FAKE_LONG", f"{TABLE}/not-beyond-length"),
        ("FAKE_CLOSED", f"{TABLE}/filled"),
        ("FAKE_REFUSED", f"{TABLE}/success"),
        ("FAKE_NO_BIT", MASK),
        ("FAKE_KEPT", f"{TABLE}/table-not-kept"),
    ],
)
def test_a_mistake_is_blamed_on_the_runtime(judged: Judged, mistake: str, clause: str) -> None:
    assert judged(clause, **{mistake: 1})[clause] in (Verdict.FAIL, Verdict.WARN)


def test_what_is_no_function_is_not_called(judged: Judged) -> None:
    """Clauses of the function wait for that of the table."""
    clause = "hsa_ven_amd_aqlprofile_iterate_event_ids/success"
    assert {clause: Verdict.BLOCKED} == judged(clause, FAKE_UNWRITTEN=1)
