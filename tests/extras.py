"""Packages that an extra of pyproject.toml installs, and the tests that need one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest

#: By the name under which tests, or what they test, import it: the extra that has the package.
EXTRAS: Final = {
    "clang": "headers",
    "filelock": "dev",
    "grimp": "dev",
    "hatchling": "dev",
    "importlinter": "dev",
    "markdown_it": "dev",
    "numpy": "device",
    "psutil": "dev",
}


class Module(pytest.Module):
    """A module of tests, skipped if it imports a package of an extra that is not installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Return the tests of the module."""
        try:
            return super().collect()
        except self.CollectError as error:
            if isinstance(error.__cause__, ModuleNotFoundError):
                name = (error.__cause__.name or "").partition(".")[0]
                if name in EXTRAS:
                    pytest.skip(f"needs {name}: install the extra `{EXTRAS[name]}`")
            raise
