"""`reproduce`: programs from the event file of a run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import read_run
from tests.library.cli.commands import Command
from tests.unit.reports.page_reader import data_of, texts_in

CLAUSE = "hsa_amd_vmem_address_free/in-use"
PUBLISHED = Path(__file__).parents[3] / "reports" / "published"


@pytest.fixture
def broken(program: Command, fake: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the library of a run in which one clause failed."""
    library = tmp_path / "libbroken.so"
    shutil.copy(fake("wrong_status"), library)
    words = ("--library", library, "--select", CLAUSE, "--out", "broken")
    assert 1 == program("hsa-conformance", "run", *words).status
    return library


def test_the_command_of_a_failure_makes_a_program(
    broken: Path, command: Command, tmp_path: Path
) -> None:
    """The command that stands in the events and in the report writes C that compiles and fails."""
    failure = read_run(tmp_path / "broken" / "events.jsonl").by_clause[CLAUSE][0].failure
    assert failure is not None
    assert failure.program is not None
    page = (tmp_path / "broken" / "report.html").read_text("utf-8")
    assert failure.program in texts_in(data_of(page))
    name, *words = failure.program.split()
    assert ("hsa-conformance", "reproduce", CLAUSE, "--c") == (name, words[0], *words[2:])
    done = command(*words, "--out", "it.c")
    assert (0, "") == (done.status, done.out)
    subprocess.run(["cc", "-std=c11", "-o", "it", "it.c", "-ldl"], cwd=tmp_path, check=True)
    assert 1 == subprocess.run([tmp_path / "it", broken], check=False).returncode


def test_python_comes_on_standard_output(broken: Path, command: Command, tmp_path: Path) -> None:
    """A run's folder does as well as its event file."""
    done = command("reproduce", "broken", CLAUSE, "--python")
    assert 0 == done.status
    (tmp_path / "it.py").write_text(done.out, encoding="utf-8")
    words: list[str | Path] = [sys.executable, "it.py", broken]
    assert 1 == subprocess.run(words, cwd=tmp_path, check=False).returncode


def test_bad_input_of_reproduce(broken: Path, command: Command, tmp_path: Path) -> None:
    """Each says what is there, or what to do."""
    for words, status, message in (
        (("broken", "hsa_init/success"), 2, f"clauses with one: {CLAUSE}"),
        (("nowhere", CLAUSE), 2, "cannot read the event file"),
        (("broken", CLAUSE, "--out", "no/where.c"), 2, "cannot write no/where.c"),
        (("broken", CLAUSE, "--c", "--python"), 2, "not allowed with"),
        (("broken",), 2, "name a clause, or give --all --out DIR"),
        (("broken", CLAUSE, "--all"), 2, "name a clause, or give --all --out DIR"),
        (("broken", "--all"), 2, "--all wants --out"),
        (("broken", CLAUSE, "--bisect"), 2, "--bisect wants --out"),
        (("broken", "--all", "--bisect", "--out", "all"), 2, "name it instead of --all"),
        (("broken", "--all", "--out", "broken/events.jsonl"), 2, "name another folder"),
    ):
        done = command("reproduce", *words)
        assert (status, "") == (done.status, done.out)
        assert message in done.err


def test_of_many_failures_the_nearest_are_named(command: Command) -> None:
    """A clause's id is easily misspelt, and a whole run has hundreds of failures."""
    release = PUBLISHED / "7.2.4"
    done = command("reproduce", release, "hsa_init/same-machines")
    assert 2 == done.status
    assert "clauses with one: hsa_init/same-machine, " in done.err


def test_programs_of_all_failures(
    broken: Path, fake: Callable[..., Path], command: Command, tmp_path: Path
) -> None:
    """Each is tried on the library that failed; the counts come last, and a Makefile runs them."""
    done = command("reproduce", "broken", "--all", "--out", "all", "--keep", "-n", "2")
    assert (0, ["exit  count", "   1      1  the defect is there"]) == (
        done.status,
        done.out.splitlines(),
    )
    failure = read_run(tmp_path / "broken").by_clause[CLAUSE][0].failure
    assert failure is not None
    assert failure.ran is not None
    assert ("c", 1) == (failure.ran.form, failure.ran.exit)
    assert failure.ran.why.startswith(f"{CLAUSE}: hsa_amd_vmem_address_free answered")
    fixed = fake("honest")
    for library, status in ((broken, 1), (fixed, 0)):
        words = ["make", "-C", "all", "check", f"LIBRARY={library}"]
        made = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
        assert f"{status} hsa_amd_vmem_address_free.in-use" in made.stdout
    other = command("reproduce", "broken", "--all", "--out", "more", "--library", str(fixed))
    assert "   0      1  the defect is not there" in other.out.splitlines()
    (tmp_path / "all").rename(tmp_path / "elsewhere")
    broken.unlink()
    left = command("reproduce", "broken", "--all", "--out", "all")
    assert "   -      1  not run" in left.out.splitlines()
    assert f"{broken} is not on this machine" in left.out


def test_a_program_that_does_not_show_the_failure_is_not_offered(
    broken: Path, fake: Callable[..., Path], command: Command
) -> None:
    """A bisection would read it as "fixed": so it says why there is none."""
    broken.write_bytes(fake("honest").read_bytes())
    done = command("reproduce", "broken", CLAUSE)
    assert (3, "") == (done.status, done.out)
    assert "the program does not show it where it was seen" in done.err


def test_the_command_for_git_takes_what_cannot_be_told_as_such(
    broken: Path, fake: Callable[..., Path], command: Command, tmp_path: Path
) -> None:
    """`git bisect run` gets 1, 0, and 125 for a build that fails or a program that cannot tell."""
    library = tmp_path / "built.so"
    words = ("--bisect", "--out", "it.c", "--library", str(library))
    for build, status in (
        (f"cp {broken} {library}", 1),
        (f"cp {fake('honest')} {library}", 0),
        (f"rm {library}", 125),
        ("false", 125),
    ):
        done = command("reproduce", "broken", CLAUSE, *words, "--build", build)
        assert 0 == done.status
        script = done.out.replace("git bisect run ", "", 1)
        assert status == subprocess.run(script, shell=True, cwd=tmp_path, check=False).returncode


def test_failure_of_an_older_version(broken: Path, command: Command, tmp_path: Path) -> None:
    """Steps in words make no program, and the way out is named."""
    events = tmp_path / "broken" / "events.jsonl"
    documents = [json.loads(line) for line in events.read_text("utf-8").splitlines()]
    for failure in filter(None, (document.get("failure") for document in documents)):
        for step in failure["steps"]:
            del step["action"]
    events.write_text("".join(json.dumps(d) + "\n" for d in documents), encoding="utf-8")
    done = command("reproduce", "broken", CLAUSE)
    assert 3 == done.status
    assert "make the run again with this one (hsa-conformance run --library " in done.err
