"""The array of the how-to on sharing a run, on a machine whose batch system is Slurm."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hsa_reports import Verdict, read_run
from tests.library.cli.commands import Command

RECIPE = Path(__file__).parents[3] / "docs/how-to/share-a-run.sbatch"
SELECTED = ("--select", "hsa_init", "--select", "hsa_shut_down", "-n", "1")


def test_the_shell_takes_the_file() -> None:
    subprocess.run(["sh", "-n", str(RECIPE)], check=True)


def test_an_array_of_shards_is_one_run(program: Command, tmp_path: Path) -> None:
    if not shutil.which("sbatch") or subprocess.run(["sinfo"], check=False).returncode:
        pytest.skip("needs a cluster of Slurm")
    words = ["sbatch", "--wait", "--array=1-3", str(RECIPE), *SELECTED]
    subprocess.run(words, cwd=tmp_path, check=True)

    done = program("hsa-conformance", "merge", *(f"shards/{n}" for n in (1, 2, 3)), "--out", "run")

    assert 0 == done.status, done.err
    assert Verdict.NOT_RUN not in read_run(tmp_path / "run").verdicts.values()
