"""Machines, each made once, with a server of processes on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import build, load_machine, prepare
from hsa_adapters.virtual_kfd.folder import VirtualKfd
from tests.virtual_kfd.kfd_process import Server


@pytest.fixture(scope="session")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Return a function that prepares a machine by name, of the package or of this folder."""
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    library = build(tmp_path_factory.mktemp("library"))
    made = {}

    def machine(name: str) -> VirtualKfd:
        if name not in made:
            root = tmp_path_factory.mktemp(name)
            own = Path(__file__).with_name(f"{name}.yaml")
            description = load_machine(own if own.exists() else name)
            made[name] = prepare(description, root, library=library)
        return made[name]

    return machine


@pytest.fixture(scope="session")
def servers(machines: Callable[[str], VirtualKfd]) -> Iterator[Callable[[str], Server]]:
    """Return a function that gives the server of a machine."""
    started: dict[str, Server] = {}

    def server(name: str) -> Server:
        if name not in started:
            started[name] = Server(machines(name))
        return started[name]

    yield server
    for one in started.values():
        one.close()


@pytest.fixture
def gfx90a(machines: Callable[[str], VirtualKfd]) -> VirtualKfd:
    """The default machine."""
    return machines("gfx90a")
