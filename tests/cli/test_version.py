"""`--version`."""

from __future__ import annotations

import platform
from importlib.metadata import version

from hsa_spec import load
from tests.cli.commands import Command


def test_one_line_names_suite_registry_and_python(command: Command) -> None:
    """It is what a bug report begins with."""
    expected = (
        f"hsa-conformance {version('hsa-conformance')}, registry {load().digest[:12]}, "
        f"Python {platform.python_version()}\n"
    )
    done = command("--version")
    assert (0, expected, "") == (done.status, done.out, done.err)
