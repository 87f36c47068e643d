"""What several folders of tests need: the registry, fakes, and the programs of the findings."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from hsa_spec import Registry, load
from tests.fakes.build import build
from tests.finding_programs import compiled


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what lives as long as the session: ten thousand tests."""
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands break no line: tests of what they say look for sentences."""
    monkeypatch.setenv("COLUMNS", "500")


@pytest.fixture(scope="session")
def registry() -> Registry:
    """The registry of the package."""
    return load()


@pytest.fixture(scope="session")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that builds a fake library, each with its defines once."""
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")

    @cache
    def fake(name: str, **defines: object) -> Path:
        return build(name, tmp_path_factory.mktemp("fake"), **defines)

    return fake


@pytest.fixture(scope="session")
def finding_program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that compiles the program of a finding's page, each once."""
    folder = tmp_path_factory.mktemp("findings")
    return cache(lambda page: compiled(page, folder))
