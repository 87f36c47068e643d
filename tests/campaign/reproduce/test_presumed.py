"""A program holds a library to a value only where it answers what the value was computed from."""

from __future__ import annotations

from hsa_conformance.reproduce.plans.assumptions import presumed
from hsa_reports.actions import Call, Given
from hsa_reports.demands import Answers, Gives
from hsa_reports.operands import Agent, Number, Output

CPU = Agent("cpu1", 0, 1)
GIVES = Gives("result", (b"\0",))


def query(function: str, attribute: int, content: bytes) -> Call:
    arguments = (CPU, Number(attribute), Output(len(content)))
    return Call(function, arguments, 0, (Given("value", "value1", content),))


def test_the_answer_of_a_query_has_to_be_as_recorded() -> None:
    mask = query("hsa_agent_get_info", 13, bytes([2]) + bytes(127))
    assert mask.outputs == presumed(mask, GIVES)


def test_an_address_or_a_time_is_not_compared() -> None:
    """They are never the same again."""
    assert () == presumed(query("hsa_system_get_info", 2, (1 << 40).to_bytes(8, "little")), GIVES)


def test_what_programs_look_for_themselves_is_not_compared() -> None:
    assert () == presumed(query("hsa_agent_get_info", 17, bytes(4)), GIVES)
    assert () == presumed(query("hsa_amd_memory_pool_get_info", 0, bytes(4)), GIVES)


def test_a_status_rests_on_no_earlier_value() -> None:
    mask = query("hsa_agent_get_info", 13, bytes(128))
    assert () == presumed(mask, Answers(("HSA_STATUS_ERROR_INVALID_AGENT",)))
