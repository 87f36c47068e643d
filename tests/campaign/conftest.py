"""Takes a twentieth of the campaigns where HSA_TEST_TWENTIETH says which; all of them otherwise.

Those that are marked `every_commit` belong to each.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parent
TWENTIETH: Final = os.environ.get("HSA_TEST_TWENTIETH")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to another twentieth: of twenty items nineteen."""
    if TWENTIETH is None:
        return
    campaigns = [
        item
        for item in items
        if item.path.is_relative_to(HERE) and not item.get_closest_marker("every_commit")
    ]
    left_out = [item for n, item in enumerate(campaigns) if n % 20 != int(TWENTIETH) % 20]
    config.hook.pytest_deselected(items=left_out)
    gone = {*left_out}
    items[:] = [item for item in items if item not in gone]
