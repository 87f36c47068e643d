"""Set-up that a failure does not need is left out, and what makes the failure is not."""

from __future__ import annotations

from collections.abc import Collection

from hsa_conformance.reproduce.trying.cutting import cut
from hsa_reports import Failure, Step
from hsa_reports.actions import Action, Call, Given, Read
from hsa_reports.demands import Answers, Demand, Gives
from hsa_reports.operands import Agent, Memory, Named, Number, Output, Value

CPU = Agent("cpu1", 0, 1)
SUCCEEDS = Answers(("HSA_STATUS_SUCCESS",))


def call(function: str, *arguments: Value, gives: str | None = None) -> Call:
    outputs = (Given("output", gives, bytes(8)),) if gives else ()
    return Call(function, (*arguments, *(Output(8) for _ in outputs)), 0, outputs)


def kept(*actions: Action, needed: Collection[str] = (), demand: Demand = SUCCEEDS) -> list[str]:
    """Return the functions of the steps that stay, where a program needs some of them."""
    steps = tuple(Step("main", "call", "result", action) for action in actions)
    failure = Failure("wrong", steps, "got", (), demand=demand)

    def shows(fewer: Failure) -> bool:
        left = {getattr(step.action, "function", "read") for step in fewer.steps}
        return set(needed) <= left

    return [getattr(s.action, "function", "read") for s in cut(failure, shows).steps]


def test_queries_and_objects_of_their_own_are_left_out() -> None:
    """Two calls are left of seven."""
    block = Memory(1, 8, b"")
    assert ["hsa_init", "hsa_queue_create"] == kept(
        call("hsa_init"),
        call("hsa_agent_get_info", CPU, Number(1), gives="value1"),
        call("hsa_signal_create", Number(0), gives="signal1"),
        call("hsa_signal_store_relaxed", Named("signal1"), Number(1)),
        Read(block, 8, bytes(8), "read_bytes1"),
        call("hsa_signal_destroy", Named("signal1")),
        call("hsa_queue_create", CPU, Number(64), gives="queue1"),
    )


def test_what_fills_the_memory_that_is_looked_at_stays() -> None:
    """Without the query the memory holds what the program put there, whatever the library does."""
    block = Memory(1, 64, b"")
    assert ["hsa_init", "hsa_amd_pointer_info", "read"] == kept(
        call("hsa_init"),
        call("hsa_agent_get_info", CPU, Number(1), gives="value1"),
        call("hsa_amd_pointer_info", Number(4096), block),
        Read(block, 64, bytes(64), "read_bytes1"),
    )


def test_what_has_to_do_with_the_last_call_stays() -> None:
    """Without the first of two calls that free a block the second is right to succeed."""
    steps = ("hsa_init", "hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_free")
    assert [*steps, "hsa_amd_memory_pool_free"] == kept(
        call("hsa_init"),
        call("hsa_amd_memory_pool_allocate", Number(64), gives="ptr1"),
        call("hsa_amd_memory_pool_free", Named("ptr1")),
        call("hsa_amd_memory_pool_free", Named("ptr1")),
    )


def test_what_only_changes_something_stays() -> None:
    """Nobody can tell what a call is good for that neither takes nor gives anything."""
    steps = ("hsa_init", "hsa_amd_profiling_async_copy_enable", "hsa_shut_down", "hsa_init")
    assert list(steps) == kept(*(call(step) for step in steps))


def test_each_step_is_tried_alone_where_not_all_can_go() -> None:
    """A query without which a library does not fail stays, and the others go."""
    assert ["hsa_init", "hsa_agent_get_info", "hsa_queue_create"] == kept(
        call("hsa_init"),
        call("hsa_agent_get_info", CPU, Number(1), gives="value1"),
        call("hsa_system_get_info", Number(1), gives="value2"),
        call("hsa_queue_create", CPU, Number(64), gives="queue1"),
        needed=["hsa_agent_get_info"],
    )


def test_an_answer_on_which_a_wanted_value_may_rest_stays() -> None:
    """Of a library that answers the first query otherwise, the second may be right."""
    query = "hsa_agent_extension_supported"
    assert ["hsa_init", "hsa_agent_get_info", query] == kept(
        call("hsa_init"),
        call("hsa_agent_get_info", CPU, Number(17), gives="kind"),
        call("hsa_agent_get_info", CPU, Number(13), gives="mask"),
        call(query, CPU, Number(2), gives="result"),
        demand=Gives("result", (b"\0",)),
    )
