"""What several folders of tests need: tiers, the registry, fakes, the programs of the findings."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from hsa_spec import Registry, load
from tests.before.durations import Durations
from tests.extras import Module
from tests.fakes.build import build
from tests.finding_programs import compiled
from tests.wrong.campaign import KEEPS
from tests.wrong.fates import Fate, write
from tests.wrong.inside import Begin, running

#: What the tests of each tier need; a tier is a folder, and the marker of all tests in it.
TIERS: Final = {
    "unit": "nothing: they start no process",
    "library": "a C compiler",
    "rocr": "ROCr, clang for AMD GPUs, HIP or a browser",
    "campaign": "time: whole runs of libraries, many of them wrong",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that says where campaigns of tests keep the fate of each mistake."""
    parser.addoption("--fates", metavar="FILE", type=Path, help=KEEPS)


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers, and let the process that all results go to keep the durations."""
    for tier, needs in TIERS.items():
        config.addinivalue_line("markers", f"{tier}: tests that need {needs}")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations())


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Module:
    """Skip modules that need an extra where it is not installed."""
    return Module.from_parent(parent, path=module_path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with its tier."""
    here = Path(__file__).parent
    for item in items:
        item.add_marker(item.path.relative_to(here).parts[0])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say at the very end which tiers were not run, where nobody asked for any."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    left = [tier for tier in TIERS if f"tests/{tier}" not in config.args]
    needs = ", and ".join(f"tests/{tier} (which need {TIERS[tier]})" for tier in left)
    environments = ",".join(f"tests-{tier}" for tier in left)
    terminal.write_line(f"Not run: {needs}. To run them: tox run -e {environments}")


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


@pytest.fixture
def begin(registry: Registry) -> Iterator[Begin]:
    """Return a function that begins a run over a library, which ends with the test."""
    with ExitStack() as stack:
        yield lambda adapter, settings: stack.enter_context(running(adapter, registry, settings))


@pytest.fixture(scope="session")
def keep(pytestconfig: pytest.Config) -> Callable[[Fate], None]:
    """Return a function that keeps the fate of a mistake where `--fates` says, if it does."""
    path: Path | None = pytestconfig.getoption("fates")
    return (lambda fate: write(fate, path)) if path else lambda _: None


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
