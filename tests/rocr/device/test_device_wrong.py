"""Executors that are wrong for one instruction: a sample of `tox run -e device-mutants`."""

from __future__ import annotations

import pytest

from hsa_device.targets import Family
from tests.rocr.device.noticing import noticed
from tests.rocr.device.wrong import Mistake, made, mistakes

_COUNTS, _SEED = {Family.CDNA: 30, Family.RDNA3: 20}, 5
_DRAWN = [each for family, count in _COUNTS.items() for each in mistakes(family, count, _SEED)]


def test_a_right_executor_is_not_noticed() -> None:
    assert not noticed("v_add_u32", ())
    assert not noticed("global_load_dword", ())
    assert not noticed("v_dual_mov_b32", (), Family.RDNA3)


@pytest.mark.parametrize("mistake", _DRAWN, ids=str)
def test_a_wrong_executor_is_noticed(mistake: Mistake) -> None:
    """By the manual, the golden cases, or the cases of memory, without a compiler."""
    with made(mistake):
        assert noticed(mistake.name, (), mistake.family)
