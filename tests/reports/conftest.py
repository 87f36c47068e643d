import pytest
from report_samples import make_registry

from hsa_spec import Registry


@pytest.fixture(scope="session")
def registry() -> Registry:
    return make_registry()
