"""Machines, each made once, with a server of processes on it."""

import shutil
from pathlib import Path

import pytest

from hsa_adapters.virtual_kfd import build, load_machine, prepare
from tests.virtual_kfd.kfd_process import Server


@pytest.fixture(scope="session")
def machines(tmp_path_factory):
    """Return a function that prepares a machine by name, of the package or of this folder."""
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    library = build(tmp_path_factory.mktemp("library"))
    made = {}

    def machine(name):
        if name not in made:
            root = tmp_path_factory.mktemp(name)
            own = Path(__file__).with_name(f"{name}.yaml")
            description = load_machine(own if own.exists() else name)
            made[name] = prepare(description, root, library=library)
        return made[name]

    return machine


@pytest.fixture(scope="session")
def servers(machines):
    """Return a function that gives the server of a machine."""
    started = {}

    def server(name):
        if name not in started:
            started[name] = Server(machines(name))
        return started[name]

    yield server
    for server in started.values():
        server.close()


@pytest.fixture
def gfx90a(machines):
    """The default machine."""
    return machines("gfx90a")
