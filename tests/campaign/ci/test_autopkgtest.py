"""The test for Debian's packages: its script, and its control file."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.library.ci.stand_in import CI, StandIn

FOLDER = CI / "autopkgtest"


def test_the_script_ends_as_the_library_deserves(
    stand_in: StandIn, tmp_path: Path, failing: dict[str, str]
) -> None:
    """It is asked about an installed library, which the loader's path names here."""
    library = failing.pop("HSA_LIBRARY")
    folders = {"AUTOPKGTEST_TMP": tmp_path / "tmp", "AUTOPKGTEST_ARTIFACTS": tmp_path / "artifacts"}
    for folder in folders.values():
        folder.mkdir()
    environment = {name: str(folder) for name, folder in folders.items()}
    environment["LD_LIBRARY_PATH"] = str(Path(library).parent)
    script = (FOLDER / "hsa-conformance").read_text()
    done = stand_in.run(script, {**failing, **environment})
    assert 1 == done.status, done.text
    kept = {path.name for path in (tmp_path / "artifacts" / "conformance").iterdir()}
    assert {"events.jsonl.gz", "junit.xml", "report.html"} == kept


def test_the_control_file_names_the_script_and_what_it_needs() -> None:
    """The script can be run, and the packages are those that the other files install."""
    lines = (FOLDER / "control").read_text().splitlines()
    control = dict(line.split(": ", 1) for line in lines)
    assert ["hsa-conformance"] == control["Tests"].split()
    assert (FOLDER / control["Tests"]).stat().st_mode & 0o111
    packages = set(control["Depends"].split(", "))
    for other in ("github-actions.yml", "gitlab-ci.yml", "Containerfile"):
        text = (CI / other).read_text()
        assert [] == [package for package in packages if package not in text]


def test_bash_understands_the_script() -> None:
    subprocess.run(["bash", "-n", FOLDER / "hsa-conformance"], check=True)
