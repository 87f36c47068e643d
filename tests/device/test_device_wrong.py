"""Executors that are wrong for one instruction: a sample of `tox run -e device-mutants`."""

from __future__ import annotations

import pytest

from tests.device.noticing import noticed
from tests.device.wrong import Mistake, made, mistakes, names

_COUNT, _SEED = 30, 5


def test_a_right_executor_is_not_noticed() -> None:
    assert not noticed("v_add_u32", ())
    assert not noticed("global_load_dword", ())


@pytest.mark.parametrize("mistake", mistakes(*names(), _COUNT, _SEED), ids=str)
def test_a_wrong_executor_is_noticed(mistake: Mistake) -> None:
    """By the manual, the golden cases, or the cases of memory, without a compiler."""
    with made(mistake):
        assert noticed(mistake.name, ())
