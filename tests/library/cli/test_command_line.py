"""The command line as a whole: what it says of itself, and what it loads."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib.metadata import version

from hsa_spec import load
from tests.library.cli.commands import Command


def test_one_line_names_suite_registry_and_python(command: Command) -> None:
    """It is what a bug report begins with."""
    expected = (
        f"hsa-conformance {version('hsa-conformance')}, registry {load().digest[:12]}, "
        f"Python {platform.python_version()}\n"
    )
    done = command("--version")
    assert (0, expected, "") == (done.status, done.out, done.err)


def test_a_command_loads_nothing_of_the_others() -> None:
    """A program on an imitated machine may be started a thousand times, so it starts at once."""
    listed = (
        "import sys; from hsa_conformance.cli import parser; parser(['virtual-kfd']); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", listed], capture_output=True, text=True, check=True
    )
    assert set() == set(done.stdout.split()) & {"hsa_reports", "hypothesis", "jinja2", "jsonschema"}
