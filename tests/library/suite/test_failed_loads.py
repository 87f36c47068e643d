"""Code that failed to load may be in an executable in part: no text says what is left of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.topics.core.executables import life
from hsa_conformance.topics.loader.loader import life as loader
from hsa_conformance.topics.shared.code.state import Executable

WHOLE, DOUBTFUL = 1, 2


@pytest.fixture
def player() -> Any:
    """Return the player of a sequence, with an executable that code failed to load into."""
    executables = {(WHOLE,): Executable(0), (DOUBTFUL,): Executable(0, load_failed=True)}
    model = MagicMock(objects={"executable": executables})
    model.live.return_value = executables.values()
    model.find.side_effect = lambda _, handle: executables[handle,]
    return SimpleNamespace(model=model, session=MagicMock(), one_of=lambda options: options[-1])


def test_nothing_more_is_put_into_it(player: Any) -> None:
    assert life._open(player) == WHOLE


def test_its_symbols_are_not_counted(player: Any) -> None:
    life._count(player, DOUBTFUL, player.model.objects["executable"][DOUBTFUL,], 7)
    assert [] == player.session.set_up.mock_calls


def test_its_code_objects_are_not_counted(player: Any) -> None:
    player.some = MagicMock(return_value=[])
    loader.look_at_code(player)
    player.some.assert_called_once_with([(WHOLE,)])


def test_a_load_that_fails_leaves_doubt(player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Blocked("hsa_executable_load_agent_code_object/success", "refused", refused=True)
    monkeypatch.setattr(life, "load", MagicMock(side_effect=refused))
    monkeypatch.setattr(life, "code", MagicMock())
    monkeypatch.setattr(life, "loadable", MagicMock())
    monkeypatch.setattr(life, "live", lambda model, handle: model.find("executable", handle))
    with pytest.raises(Blocked):
        life.load_code(player)
    assert player.model.objects["executable"][WHOLE,].load_failed
