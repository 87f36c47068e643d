"""The files for services follow the schemas that these publish."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.library.ci.stand_in import CI

SCRIPTS = Path(sys.executable).parent


def check(name: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Hold a file against a schema that comes with the checker."""
    program = SCRIPTS / "check-jsonschema"
    if not program.exists():
        pytest.skip("needs check-jsonschema")
    return subprocess.run(
        [program, "--builtin-schema", f"vendor.{name}", path],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "file"),
    [("github-workflows", "github-actions.yml"), ("gitlab-ci", "gitlab-ci.yml")],
)
def test_the_file_follows_the_schema(name: str, file: str, tmp_path: Path) -> None:
    done = check(name, CI / file)
    assert 0 == done.returncode, done.stdout
    broken = tmp_path / file
    broken.write_text(
        (CI / file).read_text().replace("artifacts:", "artefacts:").replace("runs-on:", "runs_on:")
    )
    assert 1 == check(name, broken).returncode


def test_shellcheck_has_no_complaint_about_the_script() -> None:
    shellcheck = shutil.which("shellcheck") or shutil.which("shellcheck", path=str(SCRIPTS))
    if shellcheck is None:
        pytest.skip("needs shellcheck")
    script = CI / "autopkgtest" / "hsa-conformance"
    done = subprocess.run([shellcheck, script], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout
