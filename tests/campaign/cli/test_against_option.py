"""`run --against`: what failed in an earlier run is expected, and everything else is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_conformance.configurations import Configuration
from hsa_conformance.replay.replays import Replays, in_the_same_way
from hsa_reports import Verdict, read_run
from hsa_spec import load
from tests.library.cli.commands import Command, CommandResult
from tests.library.suite.baseline_samples import failing

FUNCTION = "hsa_amd_vmem_address_free"
IN_USE = f"{FUNCTION}/in-use"

Tries = Callable[..., CommandResult]


@pytest.fixture
def tries(program: Command, fake: Callable[..., Path]) -> Tries:
    """Return a function that runs a library, which fails or not, against other runs."""

    def tries(library: str, out: str, *words: str) -> CommandResult:
        return program(
            *("hsa-conformance", "run", "--library", fake(library), "--release", "6.1.2"),
            *("--select", FUNCTION, "--budget", "4", "--out", out, *words),
        )

    return tries


def test_what_failed_before_is_expected_and_what_held_is_not(tries: Tries, tmp_path: Path) -> None:
    """Whatever is fixed is told as well, and the run fails for it."""
    assert 1 == tries("wrong_status", "broken").status
    assert 0 == tries("honest", "right").status

    same = tries("wrong_status", "same", "--against", "broken")
    assert 0 == same.status, same.err
    found = read_run(tmp_path / "same")
    known, *_ = [r for r in found.by_clause[IN_USE] if r.verdict is Verdict.XFAIL]
    assert Verdict.FAIL is known.known
    assert (known.reason or "").endswith("as in broken")
    assert "Held against broken, where 1 clause failed." in found.notices

    assert 1 == tries("wrong_status", "news", "--against", "right").status
    assert Verdict.FAIL is read_run(tmp_path / "news").verdicts[IN_USE]

    assert 1 == tries("honest", "fixed", "--against", "broken").status
    assert Verdict.XPASS is read_run(tmp_path / "fixed").verdicts[IN_USE]

    # Its calls show it again where the search has not found it, and where it is fixed they do not.
    broken, fixed = (read_run(tmp_path / name) for name in ("broken", "fixed"))
    for now, still in ((broken, {Verdict.FAIL}), (fixed, set())):
        started = now.started
        again = Replays(broken, load(), lambda started=started: started)  # type: ignore[misc]
        assert still == {r.verdict for r in again.again(IN_USE, Configuration(), [])}


@pytest.mark.parametrize(
    ("got", "line", "same"),
    [
        ("CRASH (SIGSEGV)", "a/b: Segmentation fault, in step 2, f()", True),
        ("CRASH (SIGSEGV)", "a/b: Aborted, in step 2, f()", False),
        ("CRASH (SIGSEGV)", "a/b: no end after 20 seconds, in step 2, f()", False),
        ("HANG (the call did not return)", "a/b: no end after 20 seconds, in step 2, f()", True),
        ("HANG (the call did not return)", "a/b: Segmentation fault, in step 2, f()", False),
        ("HSA_STATUS_SUCCESS", "a/b: f answered HSA_STATUS_SUCCESS instead of X", True),
        ("HSA_STATUS_ERROR", "a/b: f answered HSA_STATUS_ERROR_FATAL instead of X", False),
        ("HSA_STATUS_ERROR", "a/b: Segmentation fault, in step 2, f()", False),
        ("24 bytes", "a/b: f answered HSA_STATUS_SUCCESS and wrote behind value", True),
    ],
)
def test_another_failure_in_the_place_of_a_known_one_is_no_replay(
    got: str, line: str, same: bool
) -> None:
    """It is searched for then, and told as news."""
    assert same is in_the_same_way(failing(got=got), line)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--against", "nope"], "--against: "),
        (["--against", "a", "--baseline", "rocr"], "not allowed with argument"),
    ],
)
def test_wrong_use_is_told(command: Command, words: list[str], message: str) -> None:
    done = command("run", *words)
    assert 2 == done.status
    assert message in done.err
