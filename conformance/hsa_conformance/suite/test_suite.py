"""The suite as pytest sees it: one test, parametrised by the clauses selected."""

from __future__ import annotations

from typing import Any

from hsa_conformance.pytest_suite import SuitePlugin
from hsa_spec import Clause


def test_clause(hsa_clause: Clause, hsa_suite: SuitePlugin, record_property: Any) -> None:  # noqa: ANN401
    """Judge one clause."""
    hsa_suite.judge(hsa_clause, record_property)
