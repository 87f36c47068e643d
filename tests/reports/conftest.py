import pytest

from hsa_spec import Registry
from tests.reports.report_samples import make_registry


@pytest.fixture(scope="session")
def registry() -> Registry:
    return make_registry()
