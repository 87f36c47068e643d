"""Programs of calls that several threads make at one time: chance decides what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.reproduce import CannotReproduce
from hsa_reports import Failure
from hsa_reports.actions import Together
from hsa_reports.demands import Answers, AsAlone, Demand, Survives
from tests.campaign.reproduce.programs import CANNOT_TELL, PRESENT, Fake, Show, failure

CLAUSE = "hsa_system_get_info/threads"
ASK: Task = ("hsa_system_get_info", {"attribute": 0, "value": Out()})
LIST: Task = ("hsa_iterate_agents", {"callback": Callback("hsa_agent_callback"), "data": 0})
SUCCESS, ERROR = "HSA_STATUS_SUCCESS", 0x1000


def crowded(function: str, how: str) -> dict[str, object]:
    return {"FAKE_CROWDED_IN": function, "FAKE_CROWDED": how}


def answered(session: Session, demand: Demand | None, status: int | None = 0) -> Failure:
    """Return the session's failure, whose last step, if threads made it, answered a status."""
    found = failure(session, demand)
    *before, last = found.steps
    if not isinstance(last.action, Together):
        return found
    lanes = (tuple(replace(call, status=status) for call in lane) for lane in last.action.lanes)
    return replace(found, steps=(*before, replace(last, action=Together(tuple(lanes)))))


def together(
    pool: SessionPool,
    lanes: Sequence[Sequence[Task]],
    demand: Demand,
    status: int | None,
    *,
    initialised: bool = True,
) -> Failure:
    with pool.session(initialised=initialised, fresh=True) as session:
        session.together(lanes)
        found = answered(session, demand, status)
    pool.close()
    return found


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("CRASHES", "Segmentation fault, once several threads made calls at one time; seen in try"),
        ("HANGS", "no end after 2 seconds, once several threads made calls at one time; seen in"),
    ],
)
def test_a_death_among_threads(
    pool: SessionPool, fake: Fake, show: Show, how: str, words: str
) -> None:
    """It is seen where threads meet: none of them needs more than a few tries."""
    failure = together(pool, [[ASK, ASK]] * 4, Survives(), None)
    said = show(failure, CLAUSE, "c", fake("crowded", **crowded(ASK[0], how)))
    assert (PRESENT, True) == (said.status, words in said.line)


def test_no_program_says_that_threads_never_meet_so(
    pool: SessionPool, fake: Fake, show: Show
) -> None:
    """Where nothing was seen, it cannot tell."""
    failure = together(pool, [[ASK, ASK]] * 4, Survives(), None)
    said = show(failure, CLAUSE, "c", fake("honest"))
    assert (CANNOT_TELL, True) == (said.status, " not seen in " in said.line)


def test_what_one_thread_does_as_well_is_no_matter_of_threads(
    pool: SessionPool, fake: Fake, show: Show
) -> None:
    """One thread makes all calls first."""
    failure = together(pool, [[ASK, ASK]] * 4, Survives(), None)
    said = show(failure, CLAUSE, "c", fake("crashes", FAKE_CRASH_IN_CALL=5))
    words = "one thread alone does not come to a good end: Segmentation fault"
    assert (CANNOT_TELL, True) == (said.status, words in said.line)


def test_a_wrong_answer_among_threads(pool: SessionPool, fake: Fake, show: Show) -> None:
    """Each thread starts the runtime; what is first in a process is tried once in each."""
    lanes: list[list[Task]] = [[("hsa_init", {})]] * 4
    failure = together(pool, lanes, Answers((SUCCESS,)), ERROR, initialised=False)
    said = show(failure, "hsa_init/threads", "c", fake("crowded", **crowded("hsa_init", "REFUSES")))
    words = "a thread was answered HSA_STATUS_ERROR instead of HSA_STATUS_SUCCESS; seen in try"
    assert (PRESENT, True) == (said.status, words in said.line)
    assert CANNOT_TELL == show(failure, "hsa_init/threads", "c", fake("honest")).status


@pytest.mark.parametrize(
    ("task", "how"), [(LIST, "LISTS_NOTHING"), (ASK, "REFUSES")], ids=["callbacks", "status"]
)
def test_an_answer_that_one_thread_does_not_get(
    pool: SessionPool, fake: Fake, show: Show, task: Task, how: str
) -> None:
    """Status, outputs and the calls of callbacks are compared with those of one thread."""
    failure = together(pool, [[task]] * 3, AsAlone(task[0]), 0)
    said = show(failure, CLAUSE, "c", fake("crowded", **crowded(task[0], how)))
    words = f"{task[0]} answers otherwise than in one thread; seen in try"
    assert (PRESENT, True) == (said.status, words in said.line)
    assert CANNOT_TELL == show(failure, CLAUSE, "c", fake("honest")).status


def test_later_steps_use_what_threads_were_given(pool: SessionPool, fake: Fake, show: Show) -> None:
    """Each output of a thread has a name of its own."""
    reserve: Task = (
        "hsa_amd_vmem_address_reserve",
        {"va": Out(), "size": 4096, "address": 0, "flags": 0},
    )
    free = "hsa_amd_vmem_address_free"
    with pool.session(initialised=True, fresh=True) as session:
        events = session.together([[reserve], [reserve]])
        for event in events:
            session.call(free, va=event.answer["va"], size=4096)
        found = answered(session, Survives())
    pool.close()
    *before, last = found.steps
    dead = replace(last.action, status=None)  # type: ignore[type-var]
    found = replace(found, steps=(*before, replace(last, action=dead)))
    said = show(found, f"{free}/threads", "c", fake("honest"))
    assert (CANNOT_TELL, True) == (said.status, f"{free} answered {SUCCESS}" in said.line)
    said = show(found, f"{free}/threads", "c", fake("crowded", **crowded(reserve[0], "CRASHES")))
    assert PRESENT == said.status


def test_python_does_not_meet(pool: SessionPool, show: Show) -> None:
    """Its threads take turns: that it cannot be made is said at once."""
    failure = together(pool, [[ASK]] * 2, Survives(), None)
    with pytest.raises(CannotReproduce, match="threads of Python take turns: give --c"):
        show(failure, CLAUSE, "python", "none")
