"""Tables that a library of tools is handed: each fault is blamed on its clause."""

from __future__ import annotations

import pytest

from hsa_adapters import tools
from hsa_spec.compiler import CompilerError
from tests.library.suite.fake_results import Put

CLAUSES = ("table-versions", "table-sizes", "table-entries", "tables-every-time")


def verdicts(put: Put, *clauses: str, **defines: object) -> dict[str, set[str]]:
    found = put("tools", *(f"tools/{name}" for name in clauses), **defines)
    return {
        clause.removeprefix("tools/"): {str(r.verdict) for r in results}
        for clause, results in found.items()
    }


def test_honest_tables_pass(put: Put) -> None:
    assert {name: {"PASS"} for name in CLAUSES} == verdicts(put, *CLAUSES)


@pytest.mark.parametrize(
    ("fault", "clause"),
    [
        ("FAKE_ZEROS", "table-versions"),
        ("FAKE_ZEROS", "table-sizes"),
        ("FAKE_SHORT", "table-sizes"),
        ("FAKE_SWAPPED", "table-entries"),
        ("FAKE_NULL", "table-entries"),
        ("FAKE_ONCE", "tables-every-time"),
    ],
)
def test_a_fault_is_blamed_on_its_clause(put: Put, fault: str, clause: str) -> None:
    """The clause that speaks of what is wrong fails."""
    assert verdicts(put, clause, **{fault: 1})[clause] & {"FAIL", "WARN"}


def test_a_runtime_that_loads_no_tools_is_not_judged(put: Put) -> None:
    """No header of HSA says that there is such a thing."""
    expected = {name: {"NOT_APPLICABLE"} for name in CLAUSES}
    assert expected == verdicts(put, *CLAUSES, FAKE_NO_TOOLS=1)


def test_without_a_compiler_nothing_is_tested(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason says what to install."""

    def refuse(*_: object, **__: object) -> None:
        raise CompilerError("there is no C compiler 'cc': install one")

    tools.recorder.cache_clear()
    monkeypatch.setattr(tools, "compile_c", refuse)
    [result] = put("tools", "tools/table-sizes")["tools/table-sizes"]
    assert ("UNTESTED", "there is no C compiler 'cc': install one") == (
        str(result.verdict),
        result.reason,
    )
