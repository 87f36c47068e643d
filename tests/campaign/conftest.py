"""Takes a quarter of the campaigns where HSA_TEST_QUARTER says which; all of them otherwise."""

from __future__ import annotations

import os
from typing import Final

import pytest

QUARTER: Final = os.environ.get("HSA_TEST_QUARTER")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to another quarter: of each function every fourth item."""
    if QUARTER is None:
        return
    campaigns = [item for item in items if item.get_closest_marker("campaign")]
    left_out = [item for n, item in enumerate(campaigns) if n % 4 != int(QUARTER) % 4]
    config.hook.pytest_deselected(items=left_out)
    gone = {*left_out}
    items[:] = [item for item in items if item not in gone]
