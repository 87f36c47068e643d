"""Of two functions that change one value at one time, the one that loses changes is named."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.topics.shared.losses import Loss, loss_beside_others

NAMES = [f"f{n}" for n in range(9)]
LOSS = Loss("a change is lost", "0")


def blamed(own: str, loses: Callable[[str, str], bool], names: list[str] = NAMES) -> bool:
    """Return whether a function is blamed; `loses` gets the slow function and the fast one."""
    scene: Any = SimpleNamespace(
        draw=lambda _: 0, session=SimpleNamespace(offers=lambda name: name in names)
    )
    lost = loss_beside_others(
        scene, own, NAMES, lambda slow, fast: LOSS if loses(slow, fast) else None, 4
    )
    return lost is not None


def test_nobody_is_blamed_where_nothing_is_lost() -> None:
    assert not any(blamed(name, lambda *_: False) for name in NAMES)


@pytest.mark.parametrize("wrong", NAMES)
def test_one_that_loses_changes_beside_all_others_is_blamed_alone(wrong: str) -> None:
    assert [wrong] == [name for name in NAMES if blamed(name, lambda *both: wrong in both)]


def test_of_some_that_are_right_among_themselves_none_puts_the_blame_on_another() -> None:
    """Three have a lock of their own: each loses changes beside the other six."""
    locked = {"f0", "f1", "f2"}
    found = [name for name in NAMES if blamed(name, lambda a, b: (a in locked) != (b in locked))]
    assert sorted(locked) == found


def test_where_all_lose_changes_nobody_is_wrong_beside_others() -> None:
    assert not any(blamed(name, lambda *_: True) for name in NAMES)


def test_two_cannot_blame_each_other() -> None:
    assert not blamed("f0", lambda *_: True, ["f1"])


def test_one_alone_is_not_tried_beside_others() -> None:
    with pytest.raises(Unavailable, match="no other function like f0"):
        blamed("f0", lambda *_: False, [])
