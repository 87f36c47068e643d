"""A plugin of pytest that leaves out parts of files: `-p tests.before.leaving --leave FILE`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.before.choice import Part, part_of


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--leave", metavar="FILE", type=Path, help="JSON: the parts and all topics")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave them out."""
    file = Path(str(config.getoption("leave")))
    read = json.loads(file.read_text("utf-8"))
    left = {Part(*names) for names in read["parts"]}
    out = [item for item in items if part_of(item.nodeid, read["topics"]) in left]
    config.hook.pytest_deselected(items=out)
    gone = set(out)
    items[:] = [item for item in items if item not in gone]
