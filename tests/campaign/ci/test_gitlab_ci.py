"""The file for GitLab: its scripts, and the report that the service reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import yaml

from tests.library.ci.stand_in import CI, StandIn

FILE = CI / "gitlab-ci.yml"


def test_a_failure_is_in_the_report_that_the_service_reads(
    stand_in: StandIn, failing: dict[str, str]
) -> None:
    """What the job leaves is where it says, although a clause fails."""
    told: dict[str, Any] = yaml.safe_load(FILE.read_text())["hsa-conformance"]
    assert failing.keys() == told["variables"].keys()
    done = stand_in.run("\n".join([*told["before_script"], *told["script"]]), failing)
    assert 1 == done.status, done.text
    assert "pip install --quiet /the/suite" in stand_in.installed
    after = stand_in.run("\n".join(told["after_script"]), failing)
    assert 0 == after.status, after.text
    [folder] = told["artifacts"]["paths"]
    junit = Path(told["artifacts"]["reports"]["junit"])
    assert (stand_in.folder / folder / "report.html").exists()
    root = ET.parse(stand_in.folder / junit).getroot()
    assert "1" == root.get("failures")
