"""The programs of docs/findings on AMD's own binaries, on an imitated machine."""

from __future__ import annotations

import ctypes.util
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.hosts import HostError, create
from hsa_adapters.virtual_kfd import VirtualKfd, VirtualKfdError, load_machine, prepare
from hsa_adapters.virtual_kfd.faults import disarm
from hsa_spec import load
from tests.finding_programs import CANNOT_TELL, DEFECT, NO_DEFECT
from tests.findings import by_chance, machine_of, pages, releases, seen
from tests.samples import WHOLE, sample

every_page = pytest.mark.parametrize("page", pages())


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, VirtualKfd]:
    """Return the imitated machine of each page."""
    try:
        made = {
            name: prepare(load_machine(name), tmp_path_factory.mktemp("machine"))
            for name in {machine_of(page) for page in pages()}
        }
    except VirtualKfdError as error:
        pytest.skip(str(error))
    return {page: made[machine_of(page)] for page in pages()}


@pytest.fixture(scope="module")
def installed() -> str:
    """Return the release of the ROCr that is installed."""
    name = ctypes.util.find_library("hsa-runtime64")
    if name is None:
        pytest.skip("no libhsa-runtime64 is installed (Debian: apt install libhsa-runtime64-1)")
    adapter = LibraryAdapter(name, load())
    try:
        release = adapter.start().release
    finally:
        adapter.close()
    if release is None or release not in releases():
        pytest.skip(f"the baseline was not made on {release}")
    return release


def verdict(command: Sequence[str | Path], machine: VirtualKfd) -> int:
    disarm(machine)  # what a program that was ended has left to be refused is no other one's
    environment = {**os.environ, **machine.environment()}
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode


def expected(page: str, release: str) -> set[int]:
    if by_chance(page, release):
        return {DEFECT, NO_DEFECT, CANNOT_TELL}
    return {DEFECT} if seen(page, release) else {NO_DEFECT, CANNOT_TELL}


@every_page
def test_the_installed_release_has_the_defects_of_its_pages_and_no_other(
    page: str,
    installed: str,
    machines: Mapping[str, VirtualKfd],
    finding_program: Callable[[str], Path],
) -> None:
    """Page, baseline and program agree about the release of this machine."""
    assert verdict([finding_program(page)], machines[page]) in expected(page, installed)


@pytest.mark.network
@pytest.mark.parametrize("suite", ["trixie", "sid", "experimental"] if WHOLE else ["experimental"])
def test_the_release_of_a_host_has_the_defects_of_its_pages_and_no_other(
    suite: str, machines: Mapping[str, VirtualKfd], finding_program: Callable[[str], Path]
) -> None:
    """Page, baseline and program agree about each release that the baseline was made on."""
    try:
        host = create(suite)
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")
    if host.rocr_version not in releases():
        pytest.skip(f"the baseline was not made on {host.rocr_version}")
    loader = host.root / "usr/lib64/ld-linux-x86-64.so.2"
    command: list[str | Path] = [loader, "--library-path", host.library.parent]
    wrong = {
        page: status
        for page in sample(pages(), 20)
        if (status := verdict([*command, finding_program(page)], machines[page]))
        not in expected(page, host.rocr_version)
    }
    assert {} == wrong
