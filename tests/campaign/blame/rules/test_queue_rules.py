"""Rules of queues and packets: a reference that breaks one is blamed for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Timer
from typing import Any

import pytest

from hsa_conformance.topics.shared import signals
from hsa_reference.core.queues.packets import PacketError
from hsa_reference.core.queues.processor import Processor
from hsa_reference.core.queues.ring import StoppedError
from hsa_reference.native import SEQ_CST
from hsa_reference.topics import effects
from hsa_reports import Verdict

END = Processor.end


def goes_on(self: Any) -> None:
    """Report what is malformed, and take the next packet."""
    told = False
    try:
        for index, address in self._source.packets():
            completion = 0
            try:
                completion = self._packets.perform(address, index)
            except PacketError as error:
                if not told:
                    self._report(error.status)
                told = True
            self._source.give_back(index)
            if completion:
                self._signals.native.signal_subtract(completion, 1, SEQ_CST)
    except StoppedError:
        pass


def tells_twice(self: Any) -> None:
    """Report what is malformed, and report it again."""
    try:
        for index, address in self._source.packets():
            self._packets.perform(address, index)
            self._source.give_back(index)
    except PacketError as error:
        self._report(error.status)
        self._report(error.status)
    except StoppedError:
        pass


def tells_later(self: Any) -> None:
    """Report an error in a thread of its own, for which nobody waits when the queue is gone."""
    END(self)
    Timer(0.005, self._report, ("HSA_STATUS_ERROR",)).start()


def refused(*_: object) -> str:
    """Refuse a call."""
    return "HSA_STATUS_ERROR_INVALID_QUEUE"


BROKEN: list[bool] = []


def takes_all_along(self: Any) -> None:
    """Process nothing any more, in any queue, once a packet was malformed."""
    try:
        for index, address in self._source.packets():
            if BROKEN:
                return
            completion = self._packets.perform(address, index)
            self._source.give_back(index)
            if completion:
                self._signals.native.signal_subtract(completion, 1, SEQ_CST)
    except PacketError as error:
        BROKEN.append(True)
        self._report(error.status)
    except StoppedError:
        pass


MISTAKES: Mapping[str, tuple[object, str, object]] = {
    "queue/nothing-after-an-error": (Processor, "_run", goes_on),
    "queue/reported-once": (Processor, "_run", tells_twice),
    "queue/error-stays-alone": (Processor, "_run", takes_all_along),
    "hsa_queue_destroy/callback-ends": (Processor, "end", tells_later),
}
REFUSALS = {
    "queue/error-may-be-inactivated": "hsa_queue_inactivate",
    "queue/error-may-be-destroyed": "hsa_queue_destroy",
    "queue/no-default-callback": "hsa_queue_destroy",
}


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reference does not do soon it never does."""
    monkeypatch.setattr(signals, "PATIENCE", 0.5)
    BROKEN.clear()


@pytest.mark.parametrize("clause", MISTAKES)
def test_a_mistake_is_blamed(
    judged: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, clause: str
) -> None:
    assert judged(clause) is Verdict.PASS
    monkeypatch.setattr(*MISTAKES[clause])
    assert judged(clause) is Verdict.WARN


@pytest.mark.parametrize("clause", REFUSALS)
def test_a_refusal_is_blamed(
    judged: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, clause: str
) -> None:
    assert judged(clause) is Verdict.PASS
    monkeypatch.setitem(effects(), REFUSALS[clause], refused)
    assert judged(clause) is Verdict.WARN
