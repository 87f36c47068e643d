"""AMD's own library runs kernels on an imitated machine with a device."""

from __future__ import annotations

import ctypes.util
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hsa_adapters.hosts import SUITES, Host, HostError, create
from hsa_adapters.virtual_kfd import VirtualKfdError, load_machine, prepare, started
from tests.clients.client_programs import compiled
from tests.clients.debian import System
from tests.device import vector_copy

pytestmark = vector_copy.needs

_INSTALLED = ctypes.util.find_library("hsa-runtime64")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The variables of a program on a machine with a device."""
    try:
        kfd = prepare(load_machine("gfx90a-kernels"), tmp_path_factory.mktemp("machine"))
        with started(kfd):
            yield kfd.environment()
    except VirtualKfdError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module", params=SUITES)
def host(request: pytest.FixtureRequest) -> Host:
    try:
        return create(request.param)
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")


@pytest.mark.skipif(_INSTALLED is None, reason="no libhsa-runtime64 is installed")
def test_the_program_of_the_tutorial_by_the_command(tmp_path: Path) -> None:
    """The installed release copies a vector by a kernel."""
    command = Path(sys.executable).with_name("hsa-conformance")
    program = vector_copy.follow(tmp_path, Path("-lhsa-runtime64"))
    done = subprocess.run(
        [command, "virtual-kfd", "run", "--device", "--", program, "vector_copy.hsaco"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (0, "the vector was copied\n") == (done.returncode, done.stdout), done.stderr


@pytest.mark.network
@pytest.mark.parametrize("level", [0, 2])
def test_the_program_of_the_tutorial_on_a_release(
    host: Host, machine: Mapping[str, str], tmp_path: Path, level: int
) -> None:
    """Each release copies a vector by a kernel, also by one with private memory."""
    program = vector_copy.follow(tmp_path, Path("-lhsa-runtime64"), level)
    done = System(host.root, {}).run(
        str(program), host.library, machine, str(tmp_path / "vector_copy.hsaco")
    )
    assert (0, "the vector was copied\n") == (done.returncode, done.stdout), done.stderr


@pytest.mark.network
def test_copies_and_fills_by_kernels_of_a_release(
    host: Host, machine: Mapping[str, str], tmp_path: Path
) -> None:
    """Without copy engines ROCr copies and fills by its own kernels; the bytes are right."""
    program = compiled("copies", host.library, tmp_path)
    variables = {**machine, "HSA_ENABLE_SDMA": "0"}
    done = System(host.root, {}).run(str(program), host.library, variables)
    lines = done.stdout.splitlines()
    assert (0, ["wrong bytes: 0"]) == (done.returncode, [e for e in lines if e == "wrong bytes: 0"])
    assert "both of them: 0, wrong bytes: 0" in lines
