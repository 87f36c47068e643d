"""Steps and demands in the form that programs are made of, on their way through the file."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hsa_reports import Result, Step, Verdict
from hsa_reports.actions import (
    Call,
    Close,
    Given,
    Join,
    LookUp,
    OpenFile,
    Read,
    Refuse,
    Send,
    SetVariable,
    Start,
    Write,
)
from hsa_reports.demands import (
    Answers,
    AsAlone,
    Exports,
    Fills,
    Gives,
    InheritsNothing,
    LeavesAlone,
    Permits,
    Returns,
    Shows,
    StaysWithin,
    Survives,
)
from hsa_reports.operands import Agent, Callback, InnerCall, Memory, Named, Number, Output, Pool
from hsa_reports.wire import from_json, to_json
from tests.unit.reports.report_samples import make_result

CPU = Agent("cpu1", 0, 1)
VALUES = (
    *(Number(0), Number(-1), Number(2**64 - 1)),
    *(CPU, Agent("gpu2", 1, 2, -8), Pool("cpu1_pool2", CPU, 2), Named("va1", 4096), Output(8)),
    *(Memory(1, 8192, b""), Memory(2, 16, b"\3", ((8, CPU),), 4), Memory(3, 1, b"", at_end=True)),
    Memory(4, 8192, b"", past=16),
    *(Callback("hsa_agent_callback", (0, 1)), Callback("hsa_alloc_callback", (), allocate=True)),
    Callback("hsa_agent_callback", (0,), until=Memory(5, 8, b"")),
    Callback("hsa_agent_callback", (0,), calls=(InnerCall("hsa_thing", (Number(1), CPU)),)),
)
ACTIONS = (
    Call("hsa_init", (), 0),
    Call("hsa_thing", VALUES, 0, (Given("va", "va1", b"\1\2"), Given("to", None, None))),
    Call("hsa_deadly", (Number(0),), None),
    Call("hsa_member", VALUES[:2], 0, address=Named("member1")),
    *(Read(Named("va1"), 2, b"\0\1"), Read(Number(8), 1, None)),
    Read(Memory(1, 32, b"", offset=24), 8, bytes(8), "member1"),
    *(Write(Named("va1", 5), b"\0\xff", True), OpenFile(4096, "file1")),
    *(Start("hsa_thing", VALUES[:3]), Start("hsa_thing", VALUES[:2], 700, -3)),
    Start("hsa_member", VALUES[:1], address=Named("member1", 8), stack=1 << 17),
    *(Join("hsa_thing", 7, (Given("va", "va1", b"\1"),)), Join("hsa_thing", None)),
    *(Close(Named("file1")), Send(Named("file1"), "peer_file1"), LookUp("hsa_gone")),
    Refuse("ALLOC_MEMORY_OF_GPU", "ENOMEM", 1, lasting=True),
    Refuse("memory", "ENOMEM", 7, lasting=False, size=96, alike=1),
    *(SetVariable("HSA_XNACK", "1"), SetVariable("RECORD", "", Memory(1, 32, b""))),
)
DEMANDS = (
    *(Answers(("HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR")), Survives(), Fills("va")),
    *(StaysWithin("va"), Gives("va", (b"\0", b"\1")), Shows(b"\1"), Shows(None)),
    *(Permits(True), Exports(), Returns((0, -(2**63))), AsAlone("hsa_thing")),
    *(InheritsNothing((Named("fd1"),)), LeavesAlone("desc")),
)


def with_action(action: Any, demand: Any = None) -> Result:
    result = make_result("hsa_init/first-call", Verdict.FAIL)
    step = Step("main", "words", "result", action)
    assert result.failure is not None
    return replace(result, failure=replace(result.failure, steps=(step,), demand=demand))


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_any_action_survives_the_way_through_json(action: Any) -> None:
    event = with_action(action)
    assert event == from_json(json.loads(json.dumps(to_json(event))))


@pytest.mark.parametrize("demand", DEMANDS, ids=str)
def test_any_demand_survives_the_way_through_json(demand: Any) -> None:
    event = with_action(ACTIONS[0], demand)
    assert event == from_json(json.loads(json.dumps(to_json(event))))


def test_a_file_of_an_older_version_is_read() -> None:
    """What was written before there were actions, demands and programs has none of them."""
    event = with_action(ACTIONS[0], DEMANDS[0])
    document = to_json(event)
    del document["failure"]["demand"], document["failure"]["program"]
    del document["failure"]["steps"][0]["action"]
    read = from_json(document)
    assert isinstance(read, Result)
    assert read.failure is not None
    assert (None, None) == (read.failure.demand, read.failure.program)
    assert (Step("main", "words", "result"),) == read.failure.steps


@pytest.mark.parametrize(
    ("action", "later"),
    [
        (Call("hsa_init", (), 0), "address"),
        (Start("hsa_thing", VALUES[:1]), "address"),
        (Read(Number(8), 1, b"\0"), "name"),
    ],
    ids=str,
)
def test_an_action_of_an_older_version_is_read(action: Any, later: str) -> None:
    """What it did not have yet is not there."""
    document = to_json(with_action(action))
    del document["failure"]["steps"][0]["action"][later]
    assert with_action(action) == from_json(document)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "jump"},
        {"kind": "read", "address": {"kind": "number", "value": 8}, "size": 1},
        {"kind": "look-up", "function": "not a name"},
        {"kind": "open-file", "size": -1, "name": "file1"},
        {"kind": "close", "descriptor": {"kind": "close"}},
        {"kind": "look-up", "function": "hsa_gone", "more": 1},
    ],
    ids=str,
)
def test_an_action_that_breaks_the_schema_is_refused(wrong: Any) -> None:
    document = to_json(with_action(ACTIONS[0]))
    document["failure"]["steps"][0]["action"] = wrong
    with pytest.raises(ValueError, match="failure/steps/0"):
        from_json(document)
