"""`baseline`: files of known failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reports import EventWriter, Result
from tests.library.cli.commands import Command
from tests.library.suite.baseline_samples import CLAUSE, failing, passing, run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the commands, with a run that fails and one that does not."""

    def write(name: str, *results: Result) -> None:
        (tmp_path / name).mkdir()
        writer = EventWriter(tmp_path / name / "events.jsonl")
        writer.write(run().started)
        for result in results:
            writer.write(result)
        writer.close()

    write("bad", failing())
    write("good", passing())
    return tmp_path


def test_a_baseline_is_made_checked_and_brought_up_to_date(command: Command, folder: Path) -> None:
    """From a run's failures to none left."""
    assert 0 == command("baseline", "create", "bad", "-o", "known.yaml").status
    text = (folder / "known.yaml").read_text()
    assert 'releases: ["6.1.2"]\nentries:\n  - clause: ' in text

    assert (0, "1 entries, 0 problems.\n") == command("baseline", "check", "known.yaml")[:2]
    assert 0 == command("baseline", "check", "known.yaml", "bad").status
    stale = command("baseline", "check", "known.yaml", "good")
    assert 1 == stale.status
    assert f"fixed: {CLAUSE} (CRASH: CRASH (SIGSEGV)): does not show\n" in stale.out

    shown = command("baseline", "update", "--dry-run", "known.yaml", "good")
    assert f"-  - clause: {CLAUSE}\n" in shown.out
    assert text == (folder / "known.yaml").read_text()

    done = command("baseline", "update", "known.yaml", "good")
    assert (0, f"fixed: {CLAUSE} (CRASH: CRASH (SIGSEGV)): removed\n") == done[:2]
    assert "entries: []\n" in (folder / "known.yaml").read_text()
    assert "Nothing to change.\n" == command("baseline", "update", "known.yaml", "good").out


@pytest.mark.parametrize(
    ("baseline", "out", "included"),
    [
        ("--baseline=rocr", "known.yaml", "rocr"),
        ("--baseline=theirs.yaml", "known.yaml", "theirs.yaml"),
        ("--baseline=/at/theirs.yaml", "known.yaml", "/at/theirs.yaml"),
    ],
)
def test_a_file_builds_on_the_baseline_of_its_run(
    command: Command, tmp_path: Path, baseline: str, out: str, included: str
) -> None:
    """Or it would have the unexpected failures and nothing else."""
    (tmp_path / "run").mkdir()
    writer = EventWriter(tmp_path / "run" / "events.jsonl")
    writer.write(run(command=("hsa-conformance", "run", baseline)).started)
    writer.close()
    assert 0 == command("baseline", "create", "run", "-o", out).status
    assert (tmp_path / out).read_text().startswith(f"includes: [{included}]\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["create", "nope"], "nope"),
        (["create", "bad", "-o", "there.yaml"], "baseline update there.yaml bad"),
        (["check", "nope.yaml"], "name a file, or one of the suite's: rocr"),
        (["update", "nope.yaml", "bad"], "the baseline nope.yaml cannot be read"),
        (["update", "there.yaml", "bad"], "expected a key includes, or implementation and entries"),
        (["update", "rocr", "bad"], "update changes a file: name it by its path"),
    ],
)
def test_wrong_use_is_told(command: Command, folder: Path, words: list[str], message: str) -> None:
    (folder / "there.yaml").write_text("releases: ['1.0']\n")
    done = command("baseline", *words)
    assert 2 == done.status
    assert message in done.err
