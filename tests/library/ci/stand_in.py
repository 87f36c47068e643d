"""A machine on which the files for CI run: what they install is noted, everything else is done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CI = Path(__file__).parents[3] / "docs" / "ci"

_NOTES = '#!/bin/sh\necho "$(basename "$0") $*" >> "{notes}"\n'
# `python3 -m venv FOLDER` makes a folder with the programs of this environment, and another pip.
_PYTHON = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then
    mkdir -p "$3/bin"
    ln -s "{scripts}"/hsa-conformance "$3/bin/"
    cp "{folder}/pip" "$3/bin/pip"
else
    exec "{python}" "$@"
fi
"""


@dataclass(frozen=True)
class ScriptResult:
    """How a script ended.

    Attributes:
        status: its exit status.
        text: what it wrote, on both streams.

    """

    status: int
    text: str


class StandIn:
    """Runs scripts with an `apt-get` and a `pip` that only note what they were asked for.

    Installing from packages and from pip is what `.ci/run` and `.ci/build` do for real.

    Args:
        folder: an empty folder, in which the job's own folder is made.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self._notes = folder / "notes"
        self._programs = folder / "programs"
        self._programs.mkdir()
        python = _PYTHON.format(
            scripts=Path(sys.executable).parent, python=sys.executable, folder=self._programs
        )
        one = "#!/bin/sh\necho 1\n"  # several processes would start as many machines each
        programs = {"apt-get": _NOTES, "pip": _NOTES, "python3": python, "nproc": one}
        for name, text in programs.items():
            program = self._programs / name
            program.write_text(text.replace("{notes}", str(self._notes)))
            program.chmod(0o755)

    @property
    def installed(self) -> str:
        """Return what was asked of apt-get and pip, a line for each call."""
        return self._notes.read_text() if self._notes.exists() else ""

    def run(self, script: str, environment: Mapping[str, str], before: str = "") -> ScriptResult:
        """Run a script as the services do: bash, that ends at the first command that fails.

        Args:
            script: its text.
            environment: variables beside those of this process.
            before: folders that go first in PATH, with ":" between them.

        """
        path = os.pathsep.join(filter(None, [before, str(self._programs), os.environ["PATH"]]))
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.folder,
            env={**os.environ, **environment, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return ScriptResult(done.returncode, done.stdout)
