"""Machines, each made once, with a server of processes on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import build, load_machine, prepare, started
from hsa_adapters.virtual_kfd.folder import VirtualKfd
from tests.library.virtual_kfd.kfd_process import Server


@pytest.fixture(scope="session")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Return a function that prepares a machine by name, of the package or of this folder.

    Behind a + in the name stands that it has a device: one that looks at memory of programs itself
    ("device"), or one that asks the driver for it ("asking").
    """
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    library = build(tmp_path_factory.mktemp("library"))
    made = {}

    def machine(name: str) -> VirtualKfd:
        if name not in made:
            root = tmp_path_factory.mktemp(name)
            described, _, device = name.partition("+")
            own = Path(__file__).with_name(f"{described}.yaml")
            description = load_machine(own if own.exists() else described)
            driver = replace(description.driver, kernels=bool(device))
            made[name] = prepare(replace(description, driver=driver), root, library=library)
        return made[name]

    return machine


@pytest.fixture(scope="session")
def servers(machines: Callable[[str], VirtualKfd]) -> Iterator[Callable[[str], Server]]:
    """Return a function that gives the server of a machine."""
    made: dict[str, Server] = {}
    with ExitStack() as ends:

        def server(name: str) -> Server:
            if name not in made:
                device = name.partition("+")[2]
                if device:
                    ends.enter_context(started(machines(name), direct=device == "device"))
                made[name] = Server(machines(name))
                ends.callback(made[name].close)
            return made[name]

        yield server


@pytest.fixture
def gfx90a(machines: Callable[[str], VirtualKfd]) -> VirtualKfd:
    """The default machine."""
    return machines("gfx90a")
