"""Relations between what calls gave, as programs find them out: as the suite does."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.comparing import (
    Relation,
    address_in,
    among,
    at_most,
    between,
    counted,
    equal,
    every,
    is_ended,
    is_multiple,
    is_padded,
    is_text,
    opposite,
    part,
    some,
    text_length,
    within,
)
from hsa_conformance.engine.calls.values import PATTERN, Data, Out
from hsa_conformance.engine.session.session import Session
from hsa_reports import Failure, Step
from hsa_reports.actions import Call
from hsa_reports.demands import Answers, Permits, Shows
from hsa_reports.operands import Agent, Listed, Memory, Number, Output
from hsa_spec import Registry
from tests.campaign.reproduce.programs import (
    ABSENT,
    LANGUAGES,
    PRESENT,
    Fake,
    Show,
    failure,
)

CLAUSE = "hsa_amd_vmem_map/same-bytes"
LIST = "hsa_amd_agent_iterate_memory_pools"


def read(session: Session, content: bytes) -> bytes:
    """Return bytes that the process has, as a property reads them."""
    found = session.read(session.place(content), len(content))
    assert found is not None
    return found


TEXT = b"gfx90a\0\0"
RELATIONS: dict[str, Callable[[bytes], Relation]] = {
    "equal": lambda b: equal(part(b, 0, 2), 0x6667),
    "less": lambda b: at_most(part(b, 0, 1), part(b, 1, 1)),
    "range": lambda b: between(0x66, part(b, 1, 1), 0x70),
    "multiple": lambda b: is_multiple(part(b, 0, 1), 0x11),
    "no multiple of 0": lambda b: is_multiple(part(b, 0, 1), part(b, 7, 1)),
    "length": lambda b: equal(text_length(b), 6),
    "padded": is_padded,
    "ended": is_ended,
    "text": is_text,
    "one of": lambda b: among(part(b, 0, 1), [1, 0x67]),
    "inside": lambda b: within(part(b, 1, 1), part(b, 0, 1) - 8, 8),
    "both": lambda b: every(is_padded(b), equal(part(b, 0, 1), 0x67)),
    "either": lambda b: some(equal(part(b, 0, 1), 1), equal(part(b, 0, 1), 2)),
}


@pytest.mark.parametrize("content", [TEXT, b"no end..", b"\0" + b"\xa5" * 7], ids=str)
def test_programs_find_out_what_the_suite_does(
    session: Session, fake: Fake, show: Show, content: bytes
) -> None:
    """Each relation and its opposite holds in both languages where it holds in the suite."""
    found = read(session, content)
    for language in LANGUAGES:
        for relation in (make(found) for make in RELATIONS.values()):
            for asked in (relation, opposite(relation)):
                said = show(failure(session, asked.demand), CLAUSE, language, fake("honest"))
                assert (ABSENT if asked else PRESENT) == said.status


def test_what_no_call_gave_is_not_asked_of_a_program() -> None:
    """A relation of plain numbers is the same in every process, whatever the library does."""
    assert None is equal(1, 2).demand
    assert None is is_padded(b"text").demand


def test_bytes_that_were_not_written_are_no_text() -> None:
    """What an output held before the call does not count."""
    assert 3 == text_length(b"abc" + bytes([PATTERN]) * 5)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_handle_that_a_callback_gave(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """The program lists it again, in its place: another process has other numbers."""
    agent = next(iter(session.model.objects["agent"].values())).handle
    callback = Callback("hsa_memory_pool_callback")
    answer = session.call(LIST, agent=agent, callback=callback, data=0)
    [*_, (last, _)] = answer.callbacks
    number = session.registry.constants["HSA_AMD_MEMORY_POOL_INFO_SEGMENT"]
    query = "hsa_amd_memory_pool_get_info"
    session.call(query, memory_pool=last, attribute=number, value=Out())
    action = session.trace.steps[-1].action
    assert isinstance(action, Call)
    origin = action.arguments[0]
    assert isinstance(origin, Listed)
    assert (LIST, len(answer.callbacks)) == (origin.function, origin.index)
    assert isinstance(origin.arguments[0], Agent)
    for statuses, expected in ((("HSA_STATUS_SUCCESS",), ABSENT), (("HSA_STATUS_ERROR",), PRESENT)):
        found = failure(session, Answers(statuses))
        if expected is ABSENT:
            *before, step = found.steps
            assert step.action is not None
            other = replace(step, action=replace(step.action, status=0x1000))  # type: ignore[arg-type]
            found = replace(found, steps=(*before, other))
        for steps in (found.steps, (found.steps[0], *found.steps[2:])):
            said = show(replace(found, steps=steps), CLAUSE, language, fake("honest"))
            assert expected == said.status


@pytest.mark.parametrize("language", LANGUAGES)
def test_memory_that_is_a_copy_of_what_a_step_gave(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """A name of shared memory is passed on, or nearly: the program copies what it got itself."""
    given = read(session, bytes(range(1, 33)))
    changed = bytes([given[0] ^ 0x10]) + given[1:]
    address = session.place(changed)
    assert isinstance(address.origin, Memory)
    assert ("read_bytes1", b"\x10") == (address.origin.copied, address.origin.content)
    session.read(address, 32)
    for wanted, expected in ((changed, ABSENT), (given, PRESENT)):
        demand = Shows(wanted)
        steps = failure(session, demand).steps
        last = steps[-1].action
        assert last is not None
        shown = bytes(32) if expected is ABSENT else changed
        other = replace(steps[-1], action=replace(last, content=shown))  # type: ignore[arg-type]
        found = replace(failure(session, demand), steps=(*steps[:-1], other))
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_that_stands_in_bytes(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """What a structure points to is where the program's own structure points to."""
    target = session.place(b"the right bytes.")
    structure = session.lay_out(Data(bytes(8), "structure", {0: target}))
    session.write(structure, int(target).to_bytes(8, "little"))
    content = session.read(structure, 8)
    assert content is not None
    address = address_in(content, 0, "target")
    assert int(target) == address
    assert "Taken" == type(getattr(address, "origin", None)).__name__
    assert b"bytes" == session.read(address + 10, 5)
    steps = failure(session, None).steps
    # The program's own structure has the address already: what was written is this process's.
    steps = (steps[0], *(s for s in steps[1:] if type(s.action).__name__ != "Write"))
    last = steps[-1].action
    assert last is not None
    for wanted, expected in ((b"bytes", ABSENT), (b"bytez", PRESENT)):
        shown = bytes(5) if expected is ABSENT else b"bytes"
        other = replace(steps[-1], action=replace(last, content=shown))  # type: ignore[arg-type]
        found = replace(failure(session, Shows(wanted)), steps=(*steps[:-1], other))
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_byte_whose_place_a_step_told(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """The program looks where its own step says, as behind text of a length that differs."""
    content = read(session, b"\x03ab\x09")
    last = part(content, part(content, 0, 1), 1)
    for wanted, expected in ((9, ABSENT), (2, PRESENT)):
        found = failure(session, equal(last, wanted).demand)
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("segment", [None, "GLOBAL", "GROUP"])
def test_handles_are_counted_anew(
    session: Session, fake: Fake, show: Show, language: str, segment: str | None
) -> None:
    """All that a function lists, or those that a query says a value of; also where it is none."""
    agent = next(iter(session.model.objects["agent"].values())).handle
    callback = Callback("hsa_memory_pool_callback")
    handles = [h for h, _ in session.call(LIST, agent=agent, callback=callback, data=0).callbacks]
    asked = None
    if segment is not None:
        constants = session.registry.constants
        value = constants[f"HSA_AMD_SEGMENT_{segment}"].to_bytes(4, "little")
        query = "hsa_amd_memory_pool_get_info"
        asked = query, constants["HSA_AMD_MEMORY_POOL_INFO_SEGMENT"], value
        if segment == "GROUP":
            handles = []
    assert bool(handles) is (segment != "GROUP")
    count = counted(handles, session.registry, LIST, {"agent": agent}, asked)
    for more, expected in ((0, ABSENT), (1, PRESENT)):
        found = failure(session, equal(count, len(handles) + more).demand)
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_memory_can_be_read_at_all(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """What it shows does not matter."""
    address = session.place(b"whatever")
    session.read(address, 8)
    steps = failure(session, None).steps
    for done, content, expected in (
        (True, None, ABSENT),
        (False, b"whatever", PRESENT),
    ):
        last = steps[-1].action
        assert last is not None
        other = replace(steps[-1], action=replace(last, content=content))  # type: ignore[arg-type]
        found = replace(failure(session, Permits(done)), steps=(*steps[:-1], other))
        assert expected == show(found, CLAUSE, language, fake("honest")).status


BY_VALUE = """
typedef struct { unsigned long words[24]; } directives;
int hsa_ext_program_finalize(unsigned long program, unsigned long isa, int convention,
                             directives given, const char *options, int type, void *object)
{
    unsigned char *bytes = (unsigned char *)&given;
    return CONDITION ? 0 : 0x1000;
}
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("condition", "expected"), [("bytes[0] == 1 && bytes[127] == 9", ABSENT), ("0", PRESENT)]
)
def test_a_structure_that_is_passed_by_value(
    registry: Registry,
    show: Show,
    tmp_path: Path,
    language: str,
    condition: str,
    expected: int,
) -> None:
    """The library gets all of its bytes, and the arguments behind it."""
    function = "hsa_ext_program_finalize"
    size = registry.structs["hsa_ext_control_directives_t"].size
    assert size is not None
    source, library = tmp_path / "library.c", tmp_path / "library.so"
    text = BY_VALUE.replace("CONDITION", f"{condition} && type == 1")
    source.write_text(text.replace("words[24]", f"words[{size // 8}]"), encoding="utf-8")
    subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", library, source], check=True)
    block = Memory(1, size, b"\1" + bytes(126) + b"\x09")
    zero = Number(0)
    call = Call(function, (zero, zero, zero, block, zero, Number(1), Output(8)), 0x1000)
    steps = (Step("main", f"{function}()", "HSA_STATUS_ERROR", call),)
    demand = Answers(("HSA_STATUS_SUCCESS",))
    found = Failure("wrong", steps, "got", (), None, None, None, "run again", demand)
    assert expected == show(found, f"{function}/success", language, library).status
