"""The suite as ordinary pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reports import Verdict, read_run
from tests.library.cli.commands import Command

SUITE = ("--pyargs", "hsa_conformance", "-p", "no:cacheprovider")
REFERENCE = (*SUITE, "--hsa-adapter=reference")


def test_suite_is_ordinary_pytest(program: Command) -> None:
    """One item a clause, named after it; a clause that cannot be judged is a skip."""
    done = program("pytest", *REFERENCE, "--hsa-select=hsa_shut_down", "-v", "-rs")
    assert 0 == done.status, done.out
    assert "test_clause[hsa_shut_down/success] PASSED" in done.out
    assert "UNTESTED: " in done.out


def test_suite_in_two_processes(program: Command, tmp_path: Path) -> None:
    """With xdist, the events of all processes come together in one file."""
    words = ("--hsa-select=hsa_shut_down", "--hsa-select=hsa_init", "-n", "2")
    done = program("pytest", *REFERENCE, *words, "--hsa-events=events.jsonl")
    assert 0 == done.status, done.out
    run = read_run(tmp_path / "events.jsonl")
    assert Verdict.NOT_RUN not in run.verdicts.values()
    assert Verdict.PASS is run.verdicts["hsa_init/success"]


def test_process_that_dies_is_not_overlooked(program: Command, tmp_path: Path) -> None:
    """A clause whose process of xdist ended without a word makes the run one not carried out."""
    (tmp_path / "dying.py").write_text(
        "import os\n"
        "def pytest_runtest_call(item):\n"
        "    if 'hsa_init/success' in item.nodeid:\n"
        "        os._exit(1)\n"
    )
    words = ("--hsa-select=hsa_shut_down", "--hsa-select=hsa_init", "-n", "1", "-p", "dying")
    done = program("python", "-m", "pytest", *REFERENCE, *words, "--hsa-events=events.jsonl")
    assert 3 == done.status, done.out
    run = read_run(tmp_path / "events.jsonl")
    assert Verdict.NOT_RUN is run.verdicts["hsa_init/success"]


def test_clause_whose_check_blames_another_is_blocked(program: Command, tmp_path: Path) -> None:
    """No clause is without a verdict because all that its checks found speaks of another."""
    (tmp_path / "blaming.py").write_text(
        "from hsa_reports import Result\n"
        "from hsa_conformance.engine.running.runner import Runner\n"
        "broken = [Result('hsa_init/success', 'a', 'FAIL', 'it broke')]\n"
        "Runner.run = lambda self, *asked, **briefly: broken\n"
    )
    words = ("--hsa-select=hsa_init/success", "--hsa-select=hsa_shut_down/success", "-p", "blaming")
    done = program("python", "-m", "pytest", *REFERENCE, *words, "--hsa-events=events.jsonl")
    assert 1 == done.status, done.out
    run = read_run(tmp_path / "events.jsonl")
    assert Verdict.FAIL is run.verdicts["hsa_init/success"]
    assert Verdict.BLOCKED is run.verdicts["hsa_shut_down/success"]


def test_other_options_of_pytest_work(program: Command, tmp_path: Path) -> None:
    """-k selects, and pytest's own report is written."""
    words = ("--hsa-select=hsa_shut_down", "-k", "success", "--junit-xml=junit.xml")
    done = program("pytest", *REFERENCE, *words)
    assert 0 == done.status, done.out
    assert "1 passed" in done.out
    assert 'name="test_clause[hsa_shut_down/success]"' in (tmp_path / "junit.xml").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hsa-adapter=nope"], "unknown adapter 'nope'"),
        (["--hsa-library=/nowhere/lib.so"], "/nowhere/lib.so does not exist"),
        (["--hsa-adapter=reference", "--hsa-select=nope"], "'nope' is no group"),
        (["--hsa-adapter=reference", "--hsa-release=nope"], "'nope' is not a version"),
        (["--hsa-adapter=reference", "--hsa-profile=slow"], "invalid choice: 'slow'"),
        (["--hsa-adapter=reference", "--hsa-machine=nope"], "nope: No such file"),
        (["--hsa-adapter=reference", "--hsa-baseline=nope"], "the baseline nope cannot be read"),
        (["--hsa-library=/x.so", "--hsa-machine=nope"], "nope: No such file"),
        (["--hsa-library=/x.so", "--hsa-claim=nope"], "the claim nope: "),
        (["--hsa-library=/x.so", "--hsa-virtual-kfd=nope"], "nope: No such file"),
    ],
)
def test_wrong_use_is_one_error(program: Command, words: list[str], message: str) -> None:
    """What cannot be started is an error of use, not as many failures as there are clauses."""
    done = program("pytest", *SUITE, *words)
    assert 4 == done.status
    assert message in done.err
    assert "Traceback" not in done.out + done.err


def test_suite_without_a_subject_says_what_is_missing(program: Command) -> None:
    """The suite's own test cannot run without something to test."""
    done = program("pytest", *SUITE)
    assert "say what is tested: --hsa-adapter=NAME or --hsa-library=PATH" in done.out


def test_plugin_does_nothing_when_it_is_not_asked(program: Command, tmp_path: Path) -> None:
    """In another project, no module of the suite is imported and no test is touched."""
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_other(pytestconfig):\n"
        "    loaded = [m for m in sys.modules if m.startswith(('hsa_', 'hypothesis'))]\n"
        "    assert {'hsa_conformance', 'hsa_conformance.pytest_plugin'} >= "
        "{m for m in loaded if m.startswith('hsa_')}\n"
        "    assert not pytestconfig.pluginmanager.has_plugin('hsa_conformance_suite')\n"
    )
    done = program("pytest", "-p", "no:cacheprovider", "test_other.py")
    assert 0 == done.status, done.out
    assert "1 passed" in done.out
