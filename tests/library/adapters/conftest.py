"""A C library that does what a test asks for, and adapters over it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hsa_adapters import Call, InProcessAdapter, LibraryAdapter, Process
from hsa_adapters.signatures import signatures
from hsa_adapters.worker.calls.binding import bind
from hsa_spec.model import Registry
from tests.library.adapters.fixture_registry import FUNCTIONS, TABLE, function, make_registry


@pytest.fixture(scope="session")
def registry() -> Registry:
    linked = [function(name, *types) for name, types in FUNCTIONS.items()]
    pointed = [function(name, *types, export="table") for name, types in TABLE.items()]
    return make_registry([*linked, *pointed])


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    target = tmp_path_factory.mktemp("fixture") / "libfixture.so"
    source = Path(__file__).with_name("fixture.c")
    options = ["-shared", "-fPIC", "-O1", "-Wl,--build-id=0xc0ffee"]
    subprocess.run([compiler, *options, "-o", target, source], check=True)
    return target


@pytest.fixture(scope="module")
def adapter(library: Path, registry: Registry) -> Iterator[LibraryAdapter]:
    adapter = LibraryAdapter(library, registry)
    adapter.start()
    yield adapter
    adapter.close()


@pytest.fixture
def process(adapter: LibraryAdapter) -> Iterator[Process]:
    process = adapter.process()
    yield process
    process.close()


@pytest.fixture(params=["worker", "in process"])
def either(
    request: pytest.FixtureRequest, adapter: LibraryAdapter, library: Path, registry: Registry
) -> Iterator[Process]:
    """Return a process over the fixture, either way."""
    process: Process
    if request.param == "worker":
        process = adapter.process()
    else:
        functions = bind(ctypes.CDLL(str(library)), signatures(registry)["functions"])
        process = InProcessAdapter("same", lambda: functions, registry).process()
    yield process
    process.close()


@pytest.fixture
def make(registry: Registry, library: Path) -> Iterator[Callable[..., LibraryAdapter]]:
    """Return a function that makes adapters over the fixture; they are closed afterwards."""
    made = []

    def make(path: Path | str = library, **options: object) -> LibraryAdapter:
        made.append(LibraryAdapter(path, registry, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for adapter in made:
        adapter.close()


@pytest.fixture
def call() -> Callable[..., Call]:
    """Return a function that makes a call without memory around it."""
    return lambda name, *args, budget=None: Call(name, args, budget=budget)
