"""Takes a sixth of the campaigns where HSA_TEST_SIXTH says which; all of them otherwise."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
SIXTH: Final = os.environ.get("HSA_TEST_SIXTH")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to another sixth: of each function five of six items."""
    if SIXTH is None:
        return
    campaigns = [item for item in items if item.path.is_relative_to(HERE)]
    left_out = [item for n, item in enumerate(campaigns) if n % 6 != int(SIXTH) % 6]
    config.hook.pytest_deselected(items=left_out)
    gone = {*left_out}
    items[:] = [item for item in items if item not in gone]
