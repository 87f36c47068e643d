"""The C programs of the clients print the same on AMD's own library as on the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hsa_adapters.hosts import Host, HostError, create
from hsa_adapters.virtual_kfd import VirtualKfdError, load_machine, prepare
from tests.library.clients.client_programs import (
    MACHINE,
    PROGRAMS,
    arguments,
    compiled,
    expected,
    run,
)

_READ_BEHIND_THE_END = (
    "four bytes of a header",
    "half a header",
    "a header alone",
    "half a file",
    "a segment that is longer than the file",
    "a segment without an end",
)
#: Lines that 7.2.4 prints otherwise, by program; docs/explanation/real-clients.md says why.
DIFFERENCES: Mapping[str, Mapping[str, str]] = {
    "copies": {"filled with: 04 03 02 01": "filled with: 04 04 04 04"},
    "enumerate": {
        "  cache of level 1: 32 KiB": "  cache of level 1: 32 bytes",
        "  cache of level 2: 6 MiB": "  cache of level 2: 6 KiB",
    },
    "hostile": {
        **{f"{lie}: refused": f"{lie}: ended by a signal" for lie in _READ_BEHIND_THE_END},
        "sections that are far away: loaded or refused": "sections that are far away: ended by "
        "a signal",
    },
}


@pytest.fixture(scope="module")
def host() -> Host:
    try:
        return create("experimental")
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The variables of a program on the imitated machine."""
    try:
        return prepare(load_machine(str(MACHINE)), tmp_path_factory.mktemp("machine")).environment()
    except VirtualKfdError as error:
        pytest.skip(str(error))


@pytest.mark.network
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_prints_the_same_but_for_known_differences(
    program: str, host: Host, machine: Mapping[str, str], tmp_path: Path
) -> None:
    if host.rocr_version != "7.2.4":
        pytest.skip(f"the differences were read on 7.2.4, not on {host.rocr_version}")
    loader = host.root / "usr/lib64/ld-linux-x86-64.so.2"
    command: list[str | Path] = [loader, "--library-path", host.library.parent]
    made = compiled(program, host.library, tmp_path)
    # By copy engines: this imitation runs no kernels.
    variables = {**machine, "HSA_ENABLE_SDMA": "1"}
    done = run([*command, made, *arguments(program, tmp_path)], variables)

    lines = without_caches_of_the_cpu(expected(program))
    differences = DIFFERENCES.get(program, {})
    lines = [differences.get(line, line) for line in lines]
    assert (lines, 0) == (without_caches_of_the_cpu(done.stdout.splitlines()), done.returncode)


def without_caches_of_the_cpu(lines: Sequence[str]) -> list[str]:
    """Return lines without those of the first agent's caches, which are the real machine's here."""
    second = next((i for i, line in enumerate(lines) if line.startswith("agent 1")), 0)
    return [line for i, line in enumerate(lines) if i >= second or "  cache" not in line]
