"""What calls of several threads do, beside what they answer: it is looked at, and nothing else."""

from __future__ import annotations

import os
import threading
import time

import pytest

from hsa_conformance.engine.running.runner import Settings
from hsa_reference import memory
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.samples import WHOLE
from tests.wrong.functions import Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import results

COPY, QUEUE, LIST = "hsa_memory_copy", "hsa_queue_create", "hsa_iterate_agents"
HANDLER = "hsa_amd_signal_async_handler"
NOT_INITIALIZED = 0x100B
#: Where the id of a queue is in its structure.
ID = 32


def keeps_the_destination(f: Functions) -> dict[str, Function]:
    """Keep where to copy in a place that all threads share."""
    kept: list[int] = [0]

    def wrong(dst: int, src: int, size: int) -> int:
        kept[0] = dst
        time.sleep(0.0001)
        return f[COPY](kept[0], src, size)

    return {COPY: wrong}


def counts_queues_in_two_steps(f: Functions) -> dict[str, Function]:
    """Number queues by a counter that is read and written."""
    next_id: list[int] = [0]

    def wrong(*arguments: int) -> int:
        number = next_id[0]
        status = f[QUEUE](*arguments)
        if status == 0:
            memory.store(memory.load(arguments[-1], 8) + ID, number, 8)
        time.sleep(0.0001)
        next_id[0] = number + 1
        return status

    return {QUEUE: wrong}


def forgets_who_comes_meanwhile(f: Functions) -> dict[str, Function]:
    """Forget a handler that is registered while another one is."""
    inside: list[int] = []

    def wrong(*arguments: int) -> int:
        if inside:
            return 0
        inside.append(0)
        time.sleep(0.0001)
        status = f[HANDLER](*arguments)
        inside.pop()
        return status

    return {HANDLER: wrong}


def lists_before_there_is_a_list(f: Functions) -> dict[str, Function]:
    """Refuse to list agents while the first call makes the list."""
    state: list[str] = []

    def wrong(*arguments: int) -> int:
        if not state:
            state.append("begun")
            time.sleep(0.005)
            state.append("made")
        return f[LIST](*arguments) if "made" in state else NOT_INITIALIZED

    return {LIST: wrong}


def keeps_a_file_for_each_thread(f: Functions) -> dict[str, Function]:
    """Open a file for each thread that calls, and leave it open."""
    own = threading.local()

    def wrong(*arguments: int) -> int:
        if not hasattr(own, "file"):
            own.file = os.open(os.devnull, os.O_RDONLY)
        return f[COPY](*arguments)

    return {COPY: wrong}


def verdicts(registry: Registry, clause: str, mistake: Mistake) -> set[Verdict]:
    found = results(mistaken(registry, mistake), registry, clause, settings=Settings(seed=1))
    return {Verdict(result.verdict) for result in found}


CASES = (
    (f"{COPY}/copied", keeps_the_destination, "FAIL"),
    (f"{QUEUE}/id-unique", counts_queues_in_two_steps, "FAIL"),
    (f"{LIST}/threads", lists_before_there_is_a_list, "WARN"),
)
#: What takes long: handlers that are never called are waited for, and rounds are counted.
SLOW = (
    (f"{HANDLER}/independent", forgets_who_comes_meanwhile, "FAIL"),
    (f"{COPY}/threads", keeps_a_file_for_each_thread, "WARN"),
)


@pytest.mark.parametrize(("clause", "mistake", "verdict"), CASES + SLOW if WHOLE else CASES)
def test_what_one_thread_does_to_another_is_found(
    registry: Registry, clause: str, mistake: Mistake, verdict: str
) -> None:
    """And nothing is found where nothing is wrong."""
    assert Verdict(verdict) in verdicts(registry, clause, mistake)
    assert {Verdict.PASS} == verdicts(registry, clause, honest)
