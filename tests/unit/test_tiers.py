"""Each test is in a tier, and those of this one start no process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TIERS

TESTS = Path(__file__).parents[1]


def test_every_test_is_in_a_tier() -> None:
    places = {path: path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py")}
    assert [] == [path for path, place in places.items() if place not in TIERS]


def test_a_process_is_refused_here() -> None:
    with pytest.raises(RuntimeError, match="belongs to another tier"):
        subprocess.run([sys.executable, "--version"], check=True)
    with pytest.raises(RuntimeError, match="belongs to another tier"):
        os.fork()


def test_a_test_has_the_marker_of_its_tier(request: pytest.FixtureRequest) -> None:
    assert ["unit"] == [mark.name for mark in request.node.iter_markers() if mark.name in TIERS]
