"""The file for GitHub Actions: its steps, on a library that passes and one that fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tests.library.ci.conftest import LACKING
from tests.library.ci.stand_in import CI, StandIn

FILE = CI / "github-actions.yml"


def steps(stand_in: StandIn, folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    """Carry out the steps of the job as the service does, and return its status and log.

    A step after one that failed is left out, unless its condition is that nobody cancelled the job.
    """
    job: dict[str, Any] = yaml.safe_load(FILE.read_text())["jobs"]["conformance"]
    assert variables.keys() == job["env"].keys()
    assert "bash" == job["defaults"]["run"]["shell"]
    path, summary = folder / "path", folder / "summary.md"
    files = {"RUNNER_TEMP": str(folder), "GITHUB_PATH": str(path)}
    environment = {**variables, **files, "GITHUB_STEP_SUMMARY": str(summary)}
    status, log = 0, ""
    for step in job["steps"]:
        assert step.get("if") in (None, "${{ !cancelled() }}")
        if "run" not in step or (status and "if" not in step):
            continue
        before = ":".join(reversed(path.read_text().splitlines())) if path.exists() else ""
        done = stand_in.run(step["run"], environment, before)
        status, log = status or done.status, log + done.text
    return status, log


def test_a_failure_is_an_annotation_with_what_shows_it_again(
    stand_in: StandIn, tmp_path: Path, failing: dict[str, str]
) -> None:
    """The step that failed ends the job, and the reports are there."""
    status, log = steps(stand_in, tmp_path, failing)
    assert 1 == status, log
    assert "python3-venv" in stand_in.installed
    assert "pip install --quiet /the/suite" in stand_in.installed
    [error] = [line for line in log.splitlines() if line.startswith("::error ")]
    assert f"title=FAIL {LACKING}::" in error
    assert "reproduce: hsa-conformance run " in error
    assert "## HSA conformance" in (tmp_path / "summary.md").read_text()
    run = stand_in.folder / "conformance"
    assert 1 == json.loads((run / "summary.json").read_text())["exit_status"]
    assert {"events.jsonl", "report.html", "badge.json", "badge.svg"} <= {
        path.name for path in run.iterdir()
    }


def test_a_library_that_passes_is_a_job_that_does(
    stand_in: StandIn, tmp_path: Path, variables: dict[str, str]
) -> None:
    status, log = steps(stand_in, tmp_path, variables)
    assert 0 == status, log
    assert "::error " not in log
    assert "::notice title=HSA::Passes the set of 2 selected clauses" in log


def test_a_library_that_is_not_there_fails_without_a_second_complaint(
    stand_in: StandIn, tmp_path: Path
) -> None:
    """The step that reports has nothing to say, and does not hide the first error."""
    variables = {"HSA_LIBRARY": "/nowhere/lib.so", "HSA_SELECT": "", "HSA_SUITE": "suite"}
    status, log = steps(stand_in, tmp_path, variables)
    assert 2 == status
    assert ["hsa-conformance: /nowhere/lib.so does not exist"] == [
        line.rpartition(": ")[0] for line in log.splitlines()
    ]
