"""`run --baseline`: known failures are expected, and everything else is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import Run, Verdict, read_run
from tests.library.cli.commands import Command, CommandResult

FREE = "hsa_amd_vmem_address_free"
IN_USE = f"{FREE}/in-use"
HEAD = "implementation: x\nreleases: ['6.1.2']\n"


@pytest.fixture
def run(
    program: Command, fake: Callable[..., Path], tmp_path: Path
) -> Callable[..., CommandResult]:
    """Return a function that runs a clause of a library that fails it, with a baseline."""
    library = fake("wrong_status")

    def run(*entries: str, releases: str = '"6.1.2"', select: str = FREE) -> CommandResult:
        baseline = tmp_path / "known.yaml"
        listed = "".join(f"  - {entry}\n" for entry in entries) or "  []\n"
        baseline.write_text(f"implementation: a fake\nreleases: [{releases}]\nentries:\n{listed}")
        return program(
            *("hsa-conformance", "run", "--library", library, "--release", "6.1.2"),
            *("--select", select, "--budget", "4", "--baseline", baseline, "--out", "out"),
        )

    return run


def entry(
    clause: str = IN_USE, verdict: str = "FAIL", got: str = "HSA_STATUS*", **more: str
) -> str:
    words = {"clause": clause, "verdict": verdict, "got": got, "class": "library", **more}
    return "{" + ", ".join(f"{k}: {v!r}" for k, v in {**words, "reason": "a fake"}.items()) + "}"


def finished(folder: Path) -> Run:
    return read_run(folder / "out" / "events.jsonl")


def test_a_known_failure_is_expected(run: Callable[..., CommandResult], tmp_path: Path) -> None:
    """It is XFAIL with the baseline's reason and its own example, and the run succeeds."""
    done = run(entry(finding="some-page"))

    assert 0 == done.status, done.err
    found = finished(tmp_path)
    assert Verdict.XFAIL is found.verdicts[IN_USE]
    known = [r for r in found.by_clause[IN_USE] if r.verdict is Verdict.XFAIL]
    assert {"known: a fake (some-page)"} == {r.reason for r in known}
    assert all(r.failure is not None for r in known)


def test_an_unexpected_pass_is_an_error(run: Callable[..., CommandResult], tmp_path: Path) -> None:
    """Who repairs something has to update the baseline, or it would hide the next break."""
    done = run(entry(), entry(clause=f"{FREE}/not-initialized", got="SIGSEGV", verdict="CRASH"))

    assert 1 == done.status
    found = finished(tmp_path)
    assert Verdict.XPASS is found.verdicts[f"{FREE}/not-initialized"]
    [surprise] = [r for r in found.by_clause[f"{FREE}/not-initialized"] if r.check == "baseline"]
    assert (surprise.reason or "").startswith("does not fail any more (PASS)")


def test_a_release_without_a_baseline_is_told(
    run: Callable[..., CommandResult], tmp_path: Path
) -> None:
    """Nothing is expected of a release that nobody looked at, and the report says so."""
    run(releases='"6.4.3"', select=f"{FREE}/not-initialized")

    notice = "The baseline known was made on 6.4.3: ROCm 6.1.2, interface 1.18 runs without one."
    assert notice in finished(tmp_path).notices


def test_a_later_release_is_held_against_the_nearest_older_one(
    run: Callable[..., CommandResult], tmp_path: Path
) -> None:
    """It is named; what is known of it and does not come is listed, and no failure."""
    done = run(
        entry(),
        entry(clause=f"{FREE}/not-initialized", got="SIGSEGV", verdict="CRASH"),
        releases='"5.2.3", "6.0"',
    )

    assert 0 == done.status, done.err
    found = finished(tmp_path)
    assert Verdict.XFAIL is found.verdicts[IN_USE]
    assert Verdict.PASS is found.verdicts[f"{FREE}/not-initialized"]
    of = "of ROCm 6.1.2, interface 1.18 the failures of 6.0 are expected"
    assert (
        f"The baseline known was made on 5.2.3, 6.0: {of}.",
        f"Known of 6.0: {FREE}/not-initialized (CRASH: SIGSEGV): does not fail any more (PASS).",
    ) == found.notices[-2:]
    assert found.notices[-2] in done.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read"),
        (HEAD, "expected a key includes, or implementation and entries"),
        (
            f"{HEAD}entries:\n  - {entry(clause='hsa_init/nope')}",
            "hsa_init/nope is no clause of this registry; remove the entry",
        ),
        (
            f"{HEAD}entries:\n  - {entry(releases='7..6')}",
            "the range '7..6' ends before it begins",
        ),
        (f"{HEAD}entries: []\nentries: []\n", "the key 'entries' is given twice"),
    ],
    ids=["no YAML", "no entries", "unknown clause", "bad range", "a key twice"],
)
def test_a_malformed_baseline_is_refused(
    command: Command, tmp_path: Path, text: str, message: str
) -> None:
    """The message names the entry and what is wrong with it."""
    (tmp_path / "b.yaml").write_text(text)
    done = command("run", "--baseline", "b.yaml", "--out", "out")
    assert 2 == done.status
    assert message in done.err
    assert not (tmp_path / "out").exists()
