"""A command has its status, whatever becomes of what it prints; few descriptors are one line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hsa_reports import read_run
from tests.library.cli.conftest import SCRIPTS

RUN = "run --select hsa_shut_down -n 1 --out made"


def shell(line: str, folder: Path) -> tuple[int, str]:
    """Run a line of bash with the program as $0, and return its status and its errors."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}", SCRIPTS / "hsa-conformance"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "closed", [">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", "| true"]
)
def test_status_of_a_run_does_not_depend_on_its_reader(tmp_path: Path, closed: str) -> None:
    """What was judged is in the folder of the run, and the status is that of the verdict."""
    status, errors = shell(f'"$0" {RUN} {closed}', tmp_path)
    assert (0, False) == (status, "Traceback" in errors)
    assert read_run(tmp_path / "made").end is not None
    assert (tmp_path / "made/report.html").exists()


def test_output_that_is_lost_is_one_line(tmp_path: Path) -> None:
    """A full device is named, and a command whose result is its output fails."""
    _, errors = shell(f'"$0" {RUN} >/dev/full', tmp_path)
    lost = "hsa-conformance: the output is incomplete: No space left on device"
    assert lost == errors.splitlines()[-1]
    assert (3, f"{lost}\n") == shell('"$0" spec terms >/dev/full', tmp_path)


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    assert (0, "") == shell('"$0" spec terms | head -n 1', tmp_path)


@pytest.mark.parametrize("few", [16, 32, 64, 127])
def test_too_few_descriptors_are_one_line(tmp_path: Path, few: int) -> None:
    line = f"hsa-conformance: {few} file descriptors are too few, 128 are needed: "
    status, errors = shell(f'ulimit -n {few}; "$0" {RUN}', tmp_path)
    assert (3, [f"{line}raise the limit with ulimit -n 128"]) == (status, errors.splitlines())


def test_descriptors_that_are_just_enough(tmp_path: Path) -> None:
    status, errors = shell(f'ulimit -n 128; "$0" {RUN}', tmp_path)
    assert (0, False) == (status, "Traceback" in errors)
