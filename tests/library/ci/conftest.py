"""What a person sets in the files of CI."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.library.ci.stand_in import StandIn

#: A function that the fake library lacks.
LACKING = "hsa_wavefront_get_info/exported"


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Return a machine whose package managers do nothing."""
    return StandIn(tmp_path)


@pytest.fixture
def variables(fake: Callable[..., Path]) -> dict[str, str]:
    """Return the variables of a job whose library passes what is selected."""
    library = fake("honest")
    select = "hsa_shut_down/success hsa_init/exported"
    return {"HSA_LIBRARY": str(library), "HSA_SELECT": select, "HSA_SUITE": "/the/suite"}


@pytest.fixture
def failing(variables: dict[str, str]) -> dict[str, str]:
    """Return the variables of a job whose library fails."""
    return {**variables, "HSA_SELECT": f"hsa_shut_down/success {LACKING}"}
