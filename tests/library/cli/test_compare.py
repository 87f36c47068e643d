"""`compare`: what changed between runs of two builds."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.library.cli.commands import Command

FREE = "hsa_amd_vmem_address_free"
SUCCESS = "hsa_shut_down/success"


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of two clauses on the reference, both of which pass."""
    folder = tmp_path_factory.mktemp("recorded") / "run"
    words = ("--select", SUCCESS, "--select", "hsa_init/exported", "--out", folder)
    program = Path(sys.executable).with_name("hsa-conformance")
    subprocess.run([program, "run", *words], capture_output=True, check=True)
    return folder


@pytest.fixture
def altered(recorded: Path, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that makes a run like the recorded one, with some members changed."""

    def altered(name: str, *, verdict: str = "PASS", ended: bool = True, **run: Any) -> Path:
        events = [json.loads(line) for line in (recorded / "events.jsonl").read_text().splitlines()]
        events[0] |= run
        for event in events:
            if event["event"] == "result" and event["clause"] == SUCCESS:
                event["verdict"] = verdict
        folder = tmp_path / name
        folder.mkdir()
        lines = [json.dumps(event) + "\n" for event in events if ended or event["event"] != "end"]
        (folder / "events.jsonl").write_text("".join(lines))
        return folder

    return altered


def test_runs_may_be_compressed(command: Command, recorded: Path, tmp_path: Path) -> None:
    """A run of which only compressed events were kept, given as a folder and as a file."""
    kept = tmp_path / "kept"
    kept.mkdir()
    events = kept / "events.jsonl.gz"
    events.write_bytes(gzip.compress((recorded / "events.jsonl").read_bytes()))
    done = command("compare", kept, events)
    assert (0, "") == (done.status, done.err)
    assert "No difference: same verdict in both runs for 2 clauses." == done.out.splitlines()[-1]


def test_same_run_twice_has_no_difference(command: Command, recorded: Path) -> None:
    """A run held against itself says so, given as a folder and as a file."""
    done = command("compare", recorded, recorded / "events.jsonl")
    assert (0, "") == (done.status, done.err)
    assert "No difference: same verdict in both runs for 2 clauses." == done.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        (("PASS", "FAIL"), 1),
        (("PASS", "BLOCKED"), 1),
        (("FAIL", "PASS"), 0),
        (("PASS", "FAIL", "PASS"), 0),
        (("PASS", "NOT_APPLICABLE"), 0),
        (("PASS", "NOT_RUN"), 3),
    ],
)
def test_exit_status_says_whether_a_clause_got_worse(
    command: Command, altered: Callable[..., Path], verdicts: tuple[str, ...], status: int
) -> None:
    """From the first to the last run; 3 where it cannot be told."""
    runs = [altered(f"r{number}", verdict=verdict) for number, verdict in enumerate(verdicts)]
    assert status == command("compare", *runs).status


def test_runs_made_in_another_way_are_compared_with_a_note(
    command: Command, altered: Callable[..., Path]
) -> None:
    """Another registry, profile or seed, or a run that was cut short, is told first."""
    old = altered("old", registry_digest="1234")
    new = altered("new", profile="full", seed=7, ended=False)
    done = command("compare", old, new)
    notes = [line for line in done.out.splitlines() if line.startswith("note: ")]
    assert 0 == done.status
    assert "note: Different profiles: quick (old); full (new)." in "\n".join(notes)
    assert "note: Different seeds: 0 (old); 7 (new)." in "\n".join(notes)
    assert "note: Different registry digests: 1234 (old)" in "\n".join(notes)
    assert "note: new: The run was cut short" in "\n".join(notes)
    assert notes == done.out.splitlines()[: len(notes)]


def test_files_are_written_beside_the_summary(
    command: Command, altered: Callable[..., Path], tmp_path: Path
) -> None:
    """Markdown and page say what the terminal says."""
    done = command(
        "compare", altered("old"), altered("new", verdict="FAIL"),
        "--markdown", "c.md", "--html", "c.html",
    )  # fmt: skip
    line = "1 clause got worse from old to new (1 regressed)."
    assert (1, line) == (done.status, done.out.splitlines()[-1])
    assert line in (tmp_path / "c.html").read_text()
    assert f"- `{SUCCESS}`: PASS → FAIL\n" in (tmp_path / "c.md").read_text()


def test_markdown_on_standard_output_stands_alone(
    command: Command, altered: Callable[..., Path]
) -> None:
    """It can be piped to what posts it."""
    done = command("compare", altered("old"), altered("new"), "--markdown", "-")
    assert (0, "") == (done.status, done.err)
    assert done.out.startswith("## HSA conformance: old → new\n\n✅ **No difference: ")
    assert "Verdict   " not in done.out


def test_folders_of_one_name_are_told_apart(
    command: Command, altered: Callable[..., Path], tmp_path: Path
) -> None:
    """Where folders have the same name, the paths as given are the names."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        altered(f"{name}/run")
    assert "## HSA conformance: old/run → new/run\n" in (
        command("compare", "old/run", "new/run", "--markdown", "-").out
    )


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["one"], 2, "compare needs two runs or more: name the oldest first"),
        (["one", "nowhere"], 2, "nowhere: cannot read the event file: No such file"),
        (["one", "."], 2, "events.jsonl: cannot read the event file: No such file"),
        (["one", "none.jsonl"], 2, "none.jsonl, line 1: no JSON object"),
        (["one", "one", "--html", "-"], 2, "--html needs the name of a file"),
        (["one", "one", "--html", "nowhere/c.html"], 2, "cannot write nowhere/c.html"),
        (["one", "one", "--markdown", "nowhere/c.md"], 2, "cannot write nowhere/c.md"),
        ([], 2, "the following arguments are required: RUN"),
    ],
)
def test_wrong_words(
    command: Command,
    altered: Callable[..., Path],
    tmp_path: Path,
    words: list[str],
    status: int,
    message: str,
) -> None:
    """What cannot be compared or written is refused in one line, and nothing is printed."""
    altered("one")
    (tmp_path / "none.jsonl").write_text("garbage\n")
    done = command("compare", *words)
    [line] = [line for line in done.err.splitlines() if line.startswith("hsa-conformance")]
    assert (status, "", True) == (done.status, done.out, message in line), done.err


def test_implementations_by_set(
    command: Command, altered: Callable[..., Path], tmp_path: Path
) -> None:
    """A page of its own, whatever got worse, and what is in it on the terminal."""
    runs = altered("one"), altered("another", verdict="FAIL")
    done = command("compare", *runs, "--sets", tmp_path / "sets.html")
    assert 0 == done.status
    assert ["one", "another"] == done.out.splitlines()
    assert "Implementations by set" in (tmp_path / "sets.html").read_text("utf-8")


def test_a_badge_of_a_set_that_was_not_judged(command: Command, recorded: Path) -> None:
    """A badge speaks of whole sets alone."""
    done = command("report", "badge", recorded, "--set", "base")
    assert (2, "") == (done.status, done.out)
    assert "the run did not select all of set 'base'" in done.err
    assert "there is no set 'bse'" in command("report", "badge", recorded, "--set", "bse").err
