"""Memory that a call is lent is the caller's again after it, and is watched until then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance.engine.calls.scratch import Reuse
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.actions import Write
from hsa_reports.operands import Memory
from hsa_spec import Registry
from tests.library.suite import lent_memory
from tests.wrong.functions import Mistake, mistaken, verdicts
from tests.wrong.inside import results

MASK = "hsa_amd_queue_cu_set_mask/read-back"
ACCESS = "hsa_amd_agents_allow_access/success"


@pytest.mark.parametrize(
    ("clause", "mistake"),
    [
        ("hsa_amd_vmem_set_access/reported", lent_memory.access_descriptors),
        (MASK, lent_memory.mask_of_units),
        (
            "hsa_executable_agent_global_variable_define/defined-once",
            lent_memory.names_of_variables,
        ),
        ("hsa_amd_agents_allow_access/grants-access", lent_memory.agents_with_access),
        ("hsa_ext_image_import/round-trip", lent_memory.image_descriptors),
        (ACCESS, lent_memory.changes("hsa_amd_agents_allow_access", 1)),
        ("hsa_agent_get_info/success", lent_memory.writes_before("hsa_agent_get_info", 2)),
    ],
)
def test_misuse_of_the_callers_memory_is_blamed(
    registry: Registry, clause: str, mistake: Mistake
) -> None:
    """A library fails that goes on to use what it was lent, or writes where it must not."""
    assert Verdict.FAIL in verdicts(registry, mistake, clause)


@pytest.mark.parametrize(
    ("clause", "mistake"),
    [
        ("hsa_amd_signal_wait_any/returns-index", lent_memory.work_list),
        ("hsa_amd_memory_lock/success", lent_memory.changes("hsa_amd_memory_lock", 2)),
    ],
)
def test_a_list_of_inputs_that_is_not_constant_stays_as_well(
    registry: Registry, clause: str, mistake: Mistake
) -> None:
    """No text says so in as many words, whether the function returns a status or a number."""
    assert Verdict.WARN in verdicts(registry, mistake, clause)


@pytest.mark.parametrize(
    ("clause", "mistake", "told"),
    [
        (MASK, lent_memory.mask_of_units, 1),
        (ACCESS, lent_memory.changes("hsa_amd_agents_allow_access", 1), 0),
    ],
)
def test_steps_tell_what_a_failure_takes(
    registry: Registry, clause: str, mistake: Mistake, told: int
) -> None:
    """Steps say that memory is overwritten only where the failure depends on it."""
    [failure] = [
        r.failure for r in results(mistaken(registry, mistake), registry, clause) if r.failure
    ]
    assert told == sum(isinstance(step.action, Write) for step in failure.steps)


def test_memory_holds_what_it_did_when_it_is_looked_at(session: Session) -> None:
    """What was lent is overwritten in the process, and there again for who reads it."""
    name = session.place(b"gfx0\0", '"gfx0"')
    session.call("hsa_isa_from_name", name=name, isa=Out())
    assert b"ZZZZZ" == session.process.read(name, 5)
    assert b"gfx0\0" == session.read(name, 5)


def test_memory_is_lent_once_at_one_place(session: Session) -> None:
    """A second call finds the same bytes at another place; the first place stays overwritten."""
    name = session.place(b"gfx0\0", '"gfx0"')
    first, second = (session.call("hsa_isa_from_name", name=name, isa=Out()) for _ in range(2))
    assert name == first.args["name"] != second.args["name"]
    assert first.name == second.name
    assert b"ZZZZZ" == session.process.read(name, 5)


def test_memory_that_is_given_up_is_lent_again(session: Session) -> None:
    """Other bytes take the place of a name that nobody uses any more, unless all is to stay."""
    with session.scratch.given_up():
        name = session.place(b"gfx0\0", '"gfx0"')
        session.call("hsa_isa_from_name", name=name, isa=Out())
    session.scratch.reuse = Reuse.NONE
    assert name != session.place(b"gfx1\0", '"gfx1"')
    session.scratch.reuse = Reuse.SILENT
    assert name != session.place(b"gfx10\0", '"gfx10"')  # for which there is no room
    other = session.place(b"gf2\0", '"gf2"')
    assert name == other
    assert isinstance(name.origin, Memory)
    assert other.origin == replace(name.origin, block=4, size=4, content=b"gf2", again=1)
    assert b"gf2\0Z" == session.process.read(name, 5)
    assert b"gf2\0" == session.read(other, 4)
    assert name != session.place(b"gf3\0", '"gf3"')


def test_memory_of_what_is_kept_is_not_given_up(session: Session) -> None:
    with session.scratch.given_up():
        code = session.place(b"code", "code")
        session.call(
            "hsa_code_object_reader_create_from_memory",
            code_object=code,
            size=4,
            code_object_reader=Out(),
        )
    assert code != session.place(b"else", "else")


def test_memory_that_may_be_kept_stays(session: Session) -> None:
    """Nothing overwrites the code that a reader goes on to use."""
    reader = session.call(
        "hsa_code_object_reader_create_from_memory",
        code_object=Data(b"code"),
        size=4,
        code_object_reader=Out(),
    )
    assert b"code" == session.process.read(reader.args["code_object"], 4)
