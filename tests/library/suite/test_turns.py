"""Threads make calls at one time in one process of a run, and not in two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

from hsa_adapters.in_process import InProcess
from hsa_conformance import subjects
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.runs.turns import Turns
from hsa_conformance.topics import TOPICS
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.inside import results


def test_one_process_waits_for_the_turn_of_another(tmp_path: Path) -> None:
    told = {"hsa_turns": str(tmp_path / "turn")}
    first, second = Turns(TOPICS, told), Turns(TOPICS, told)
    begun = Event()

    def other() -> None:
        with second.turn():
            begun.set()

    thread = Thread(target=other)
    with first.turn():
        thread.start()
        assert not begun.wait(0.1)
    assert begun.wait(10)
    thread.join()
    first.close()
    second.close()


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("clause", ["hsa_signal_create/threads", "hsa_signal_store_release/order"])
def test_threads_are_released_in_turn_alone(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, clause: str, *, interpreted: bool
) -> None:
    """Whatever makes threads call at one time waits for the turn of its process.

    Threads of Python take one core whatever they do, and wait for nobody.
    """
    turn = [False]

    @contextmanager
    def race() -> Iterator[None]:
        turn[0] = True
        yield
        turn[0] = False

    released: list[bool] = []

    def noted(method: Callable[..., object]) -> Callable[..., object]:
        def release(self: InProcess, lanes: list[object], *rest: object) -> object:
            if len(lanes) > 1:
                released.append(turn[0])
            return method(self, lanes, *rest)

        return release

    for name in ("together", "litmus"):
        monkeypatch.setattr(InProcess, name, noted(getattr(InProcess, name)))
    adapter = subjects.reference(None, registry)
    subject = replace(adapter.start(), interpreted=interpreted)
    monkeypatch.setattr(adapter, "start", lambda: subject)
    found = results(adapter, registry, clause, settings=Settings(race=race))
    assert {Verdict.PASS} == {result.verdict for result in found}
    assert {not interpreted} == set(released)
