"""AMD's own library runs kernels on an imitated machine with a device."""

from __future__ import annotations

import ctypes.util
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from hsa_adapters.hosts import SUITES, Host, HostError, create
from hsa_adapters.virtual_kfd import VirtualKfdError, load_machine, prepare, started
from tests.library.clients.client_programs import compiled
from tests.library.clients.debian import System
from tests.rocr.device import vector_copy
from tests.rocr.device.device_kernels import lacking

pytestmark = vector_copy.needs

_INSTALLED = ctypes.util.find_library("hsa-runtime64")


@contextmanager
def variables(processor: str, folder: Path) -> Iterator[Mapping[str, str]]:
    """Have a machine with a device, and yield the variables of a program on it."""
    try:
        kfd = prepare(load_machine(f"{processor}-kernels"), folder)
        with started(kfd):
            yield kfd.environment()
    except VirtualKfdError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    with variables("gfx90a", tmp_path_factory.mktemp("machine")) as found:
        yield found


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
@pytest.mark.skipif(bool(lacking("gfx1100")), reason=lacking("gfx1100") or "-")
def test_kernels_of_rdna3_on_a_release(host: Host, tmp_path: Path) -> None:
    """In waves of 32, with scratch of their own; ROCr's own kernels are in waves of 64."""
    if host.suite == "bookworm":
        pytest.skip("5.2.3 knows no gfx1100")
    program = vector_copy.follow(tmp_path, Path("-lhsa-runtime64"), 0, "gfx1100")
    filler = compiled("copies", host.library, tmp_path)
    system = System(host.root, {})
    with variables("gfx1100", tmp_path / "machine") as found:
        code = str(tmp_path / "vector_copy.hsaco")
        copied = system.run(str(program), host.library, found, code)
        filled = system.run(str(filler), host.library, {**found, "HSA_ENABLE_SDMA": "0"})
    assert (0, "the vector was copied\n") == (copied.returncode, copied.stdout), copied.stderr
    assert 0 == filled.returncode, filled.stderr
    assert "both of them: 0, wrong bytes: 0" in filled.stdout.splitlines()


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
