"""The registry of the samples."""

from __future__ import annotations

import pytest

from hsa_spec import Registry
from tests.unit.reports.report_samples import make_registry


@pytest.fixture(scope="session")
def registry() -> Registry:
    return make_registry()
