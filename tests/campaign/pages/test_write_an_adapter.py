"""The package of the page about adapters: installed by pip, found by its entry points, and run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.campaign.pages.steps import DOCS, follow

PAGE = DOCS / "how-to" / "write-an-adapter.md"
TWO = "int hsa_init(void) { return 0; } int hsa_shut_down(void) { return 0; }"

#: Installs into a folder, from what is on this machine alone.
PIP = """#!/bin/sh
exec {python} -m pip "$@" --quiet --no-index --no-deps --no-build-isolation --target={folder}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Do what the page says, and return the variables that a command needs to find the package."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("adapter")
    pip, site = folder / "bin" / "pip", folder / "site"
    pip.parent.mkdir()
    pip.write_text(PIP.format(python=sys.executable, folder=site))
    pip.chmod(0o755)
    path = os.pathsep.join([str(pip.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {"PYTHONPATH": str(site), "PATH": path}
    (folder / "mine").mkdir()
    follow(PAGE, folder / "mine", environment)
    return environment


def conformance(
    environment: Mapping[str, str], *words: str | Path
) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("hsa-conformance")
    command = [program, "run", *words]
    variables = {**os.environ, **environment}
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_both_adapters_are_found(installed: Mapping[str, str]) -> None:
    """They are listed beside those that come with the suite."""
    done = conformance(installed, "--adapter", "nope")
    assert 2 == done.returncode
    assert "installed are library, mine, mine-library, reference" in done.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_library_is_judged_by_what_its_adapter_claims(
    installed: Mapping[str, str], tmp_path: Path
) -> None:
    """What the adapter claims is judged, and nothing else."""
    source, library = tmp_path / "two.c", tmp_path / "libtwo.so"
    source.write_text(TWO)
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    words = ["--adapter", "mine-library", "--library", str(library)]
    select = ["--select", "hsa_init/success", "--select", "hsa_iterate_agents/exported"]
    done = conformance(installed, *words, *select, "--out", tmp_path / "run")
    assert 0 == done.returncode, done.stderr
    assert "2 clauses: 1 PASS, 1 NOT_APPLICABLE" in done.stdout
