"""What a reproduced program leaves behind ends with it, and nothing else does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hsa_conformance.reproduce.trying.leftovers import ending_all


def _runs(process: int) -> bool:
    """Return whether a process is there, and is no zombie that nobody has waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("start", ["sleep 1000", "setsid sleep 1000", "(setsid sleep 1000 &)"])
def test_a_daemon_ends_with_the_program_that_started_it(tmp_path: Path, start: str) -> None:
    """Neither a session of its own nor the loss of its parents saves it."""
    pids = tmp_path / "pids"
    with ending_all(os.environ) as environment:
        daemon = start.replace("sleep 1000", f"sh -c 'echo $$ > {pids}; exec sleep 1000'")
        script = f"{daemon} & while ! test -s {pids}; do sleep 0.01; done"
        subprocess.run(["sh", "-c", script], env=environment, check=True)
        process = int(pids.read_text())
        assert _runs(process)
    assert not _runs(process)


def test_what_another_program_started_stays() -> None:
    with subprocess.Popen(["sleep", "1000"]) as other:
        with ending_all(os.environ):
            pass
        assert _runs(other.pid)
        other.kill()
