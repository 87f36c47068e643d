"""The suite as a command, on a library that may be wrong."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hsa_reports.run import Run, read_run

#: The command that is installed with this Python.
INSTALLED: Final = (f"{Path(sys.executable).with_name('hsa-conformance')}",)


class SuiteError(Exception):
    """The suite made no run; the message is the command, and its own message."""


@dataclass(frozen=True)
class Subject:
    """A library that can be judged.

    Args:
        options: of `hsa-conformance run`, which say what it is.
        environment: variables of that command, in addition to those of this process.

    """

    options: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)


def judge(
    subject: Subject,
    out: Path,
    *options: str,
    select: Iterable[str] = (),
    command: Sequence[str] = INSTALLED,
    shown: bool = False,
) -> tuple[int, Run]:
    """Run the suite on a library.

    Args:
        subject: the library.
        out: where the run goes, a folder that is not there yet.
        options: of `hsa-conformance run`, such as "--against" and an earlier run.
        select: functions or clauses; all, if there are none.
        command: of the suite.
        shown: whether the suite prints the run.

    Returns:
        The exit status, and the run.

    Raises:
        SuiteError: there is no run.

    """
    selected = [word for name in select for word in ("--select", name)]
    words = [*command, "run", *subject.options, *selected, *options, "--out", f"{out}"]
    environment = {**os.environ, **subject.environment}
    said = subprocess.run(words, check=False, env=environment, capture_output=not shown, text=True)
    if not out.exists():
        raise SuiteError(f"{shlex.join(words)}: {said.stderr or ''}")
    return said.returncode, read_run(out)
