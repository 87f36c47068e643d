"""How a program is tried on the library that failed before it is offered."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from hsa_conformance.reproduce import Offerer, Target
from hsa_reports import Failure, ProgramRun, RunStarted, Step, Subject
from hsa_reports.actions import Call, Together
from hsa_reports.demands import Answers, Demand, Survives
from hsa_reports.operands import Callback, Memory, Number
from hsa_spec import Registry
from tests.campaign.reproduce.conftest import STARTED
from tests.campaign.reproduce.programs import ABSENT, CANNOT_TELL, LANGUAGES, PRESENT

CLAUSE = "hsa_init/success"

#: Counts its calls over all processes, in a file; some of them fail, and a query may crash.
LIBRARY = """
#include <fcntl.h>
#include <unistd.h>

static int times(void)
{
    int file = open("PATH", O_RDWR | O_CREAT | O_APPEND, 0600);
    write(file, ".", 1);
    int count = lseek(file, 0, SEEK_END);
    close(file);
    return count;
}

int hsa_init(void)
{
    return FAILS(times()) ? 0x1000 : 0;
}

int hsa_system_get_info(int attribute, void *value)
{
    *(volatile int *)0 = 1;
    return 0;
}
"""


def target_of(tmp_path: Path, fails: str) -> tuple[Target, RunStarted]:
    """Return where a library can be tried whose calls fail for some of the numbers from 1."""
    source, library, count = tmp_path / "it.c", tmp_path / "it.so", tmp_path / "count"
    source.write_text(LIBRARY.replace("PATH", str(count)), encoding="utf-8")
    define = f"-DFAILS(number)=({fails})"
    subprocess.run(["cc", "-w", "-shared", "-fPIC", define, "-o", library, source], check=True)
    subject = replace(STARTED.subject, path=str(library))
    assert isinstance(subject, Subject)
    started = replace(STARTED, subject=subject)
    return Target(started), started


def failure(calls: Sequence[Call], demand: Demand) -> Failure:
    steps = tuple(Step("main", f"{call.function}()", "as it was", call) for call in calls)
    return Failure("wrong", steps, "got", (), None, None, None, "run again", demand)


INIT = Call("hsa_init", (), 0x1000)
ASK = Call("hsa_system_get_info", (Number(0), Number(0)), 0)
SUCCEEDS = Answers(("HSA_STATUS_SUCCESS",))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("fails", "expected", "words"),
    [
        ("number == 3", PRESENT, "by chance: "),
        ("number % 1 == 0", PRESENT, f"{CLAUSE}: hsa_init answered"),
        ("0", None, "the program does not show it where it was seen: "),
    ],
)
def test_what_chance_decides_is_tried_again(
    registry: Registry,
    tmp_path: Path,
    language: str,
    fails: str,
    expected: int | None,
    words: str,
) -> None:
    """Such a program says so, and tries up to five times; what never shows it is not offered."""
    target, started = target_of(tmp_path, fails)
    offerer = Offerer(started, registry, target)
    program = offerer.offer(CLAUSE, failure([INIT], SUCCEEDS), language=language)
    assert expected == program.ran.exit
    assert program.ran.why.startswith(words)
    assert (expected is None) == (program.text is None)
    chance = program.text is not None and "tries up to 5 times" in " ".join(program.text.split())
    assert ("by chance: " == words) is chance
    if chance:
        assert program.text is not None
        (tmp_path / "count").write_bytes(b"")
        assert PRESENT == target.run(program.text, language, None).status
        assert ABSENT == target.run(program.text, language, None).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_chance_decides_for_a_process_is_tried_in_further_ones(
    registry: Registry, tmp_path: Path, language: str
) -> None:
    target, started = target_of(tmp_path, "number == 9")
    found = failure([INIT], SUCCEEDS)
    program = Offerer(started, registry, target).offer(CLAUSE, found, language=language)
    assert PRESENT == program.ran.exit
    assert program.ran.why.startswith("by chance: ")


def test_set_up_of_which_no_program_can_be_made_is_left_out(
    registry: Registry, tmp_path: Path
) -> None:
    """Where the failure does not show without, it is said why there is no program."""
    ask = replace(ASK, arguments=(Number(0), Callback("no_callback", (0,))))
    found = failure([ask, INIT], SUCCEEDS)
    target, started = target_of(tmp_path, "1")
    program = Offerer(started, registry, target).offer(CLAUSE, found)
    assert program.text is not None
    assert PRESENT == program.ran.exit
    assert "hsa_system_get_info" not in program.text
    target, started = target_of(tmp_path, "0")
    program = Offerer(started, registry, target).offer(CLAUSE, found)
    assert program.text is None
    assert (
        ProgramRun("none", None, "this version's registry does not know no_callback") == program.ran
    )


def test_a_callback_that_waits_has_no_program(registry: Registry, tmp_path: Path) -> None:
    """What another thread does meanwhile is nothing that a program of steps can say."""
    waiting = Callback("hsa_agent_callback", (0,), until=Memory(1, 8, b""))
    ask = Call("hsa_iterate_agents", (waiting, Number(0)), 0)
    target, started = target_of(tmp_path, "0")
    program = Offerer(started, registry, target).offer(CLAUSE, failure([ask, INIT], SUCCEEDS))
    why = "in step 1 a callback waits for what another thread does"
    assert (None, ProgramRun("none", None, why)) == (program.text, program.ran)


def test_set_up_that_ends_the_process_is_left_out(registry: Registry, tmp_path: Path) -> None:
    """Where all steps come to no end, those that may not be needed are left out."""
    target, started = target_of(tmp_path, "1")
    found = failure([ASK, INIT], SUCCEEDS)
    program = Offerer(started, registry, target).offer(CLAUSE, found)
    assert program.text is not None
    assert PRESENT == program.ran.exit
    assert "hsa_system_get_info" not in program.text


def test_what_is_needed_is_not_left_out(registry: Registry, tmp_path: Path) -> None:
    """A program that never comes to its last step cannot tell."""
    target, started = target_of(tmp_path, "1")
    found = failure([replace(ASK, function="hsa_shut_down", arguments=())], Survives())
    found = replace(found, steps=(*found.steps, *failure([INIT], SUCCEEDS).steps), demand=SUCCEEDS)
    program = Offerer(started, registry, target).offer(CLAUSE, found)
    assert (
        ProgramRun("c", CANNOT_TELL, f"{CLAUSE}: the library has no hsa_shut_down") == program.ran
    )


def test_a_program_that_goes_wrong_itself_cannot_tell(tmp_path: Path) -> None:
    """Python ends with 1 then, as a program does that has seen the defect."""
    target, _ = target_of(tmp_path, "0")
    said = target.run("this is no Python", "python", None)
    assert (CANNOT_TELL, True) == (said.status, said.line.startswith("SyntaxError"))


def test_programs_of_threads_are_run_again_where_nothing_was_met(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine lets threads take turns: one more run may show what the first did not."""
    rendering = import_module("hsa_conformance.reproduce.programs.render")
    monkeypatch.setattr(rendering, "TRIES_OF_THREADS", 2)
    # In the first run, the one of the thread alone and two tries have 2 calls each.
    target, run = target_of(tmp_path, "number > 8")
    call = Call("hsa_init", (), 0x1000)
    step = Step("main", "at one time: hsa_init()", "failed", Together(((call,), (call,))))
    demand = Answers(("HSA_STATUS_SUCCESS",))
    failure = Failure("it fails", (step,), "got", (), None, None, None, "run again", demand)
    program = Offerer(run, registry, target).offer("hsa_init/threads", failure)
    assert PRESENT == program.ran.exit
    assert "a thread was answered HSA_STATUS_ERROR instead of" in program.ran.why


def test_a_program_that_ends_its_group_ends_itself_alone(tmp_path: Path) -> None:
    """The run that tries it goes on, and has nothing to tell."""
    target, _ = target_of(tmp_path, "0")
    killing = "import os, signal\nos.kill(0, signal.SIGKILL)"
    done = target.run(killing, "python", None)
    assert (CANNOT_TELL, "no line was printed") == (done.status, done.line)
