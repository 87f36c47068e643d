"""The reference as a C library, for programs that know nothing of this project."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_spec import load


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference as a C library."""
    try:
        return build(tmp_path_factory.mktemp("library"), implemented(load()))
    except LibraryError as error:
        pytest.skip(str(error))
