"""The checks as a tools library of AMD's own binary, on an imitated machine."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hsa_adapters.hosts import HostError, create
from hsa_adapters.virtual_kfd import VirtualKfdError, load_machine, prepare
from hsa_reference.checking.watching import PLACES, PROBES, STORES, Area, WatchedSignals
from hsa_reference.library import LibraryError, build_checks
from tests.library.checking.conftest import Blocks
from tests.library.checking.mistakes import MISTAKES
from tests.library.clients.client_programs import MACHINE, compiled, run

#: Programs that do nothing wrong.
RIGHT = ("enumerate", "copies", "ring", "service")


@pytest.fixture(scope="module")
def loader() -> Sequence[Path | str]:
    """Return how a program is started with ROCr 7.2.4."""
    try:
        host = create("experimental")
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")
    return [host.root / "usr/lib64/ld-linux-x86-64.so.2", "--library-path", host.library.parent]


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Return the variables of a program whose calls are checked."""
    try:
        machine = prepare(load_machine(str(MACHINE)), tmp_path_factory.mktemp("machine"))
        tool = build_checks(tmp_path_factory.mktemp("tool"))
    except (VirtualKfdError, LibraryError) as error:
        pytest.skip(str(error))
    return {**machine.environment(), "HSA_TOOLS_LIB": str(tool)}


@pytest.mark.network
def test_a_client_without_mistakes_is_not_accused(
    client: Path, blocks: Blocks, loader: Sequence[Path | str], variables: Mapping[str, str]
) -> None:
    assert [] == blocks([*loader, client], variables)


@pytest.mark.network
@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_named_with_its_clause_and_where_it_was_made(
    mistake: str,
    client: Path,
    blocks: Blocks,
    loader: Sequence[Path | str],
    variables: Mapping[str, str],
) -> None:
    said, clause = MISTAKES[mistake]
    first, *others = blocks([*loader, client, mistake], variables)

    assert first.startswith(f"hsa-check: {said}")
    assert f"/{clause}: " in first if clause else "clause: " not in first
    assert "main (client+0x" in first
    assert all(said.split(": ")[1] in other.splitlines()[0] for other in others)


@pytest.mark.network
@pytest.mark.parametrize("program", RIGHT)
def test_programs_that_do_nothing_wrong_are_not_accused(
    program: str,
    tmp_path: Path,
    reference_library: Path,
    loader: Sequence[Path | str],
    variables: Mapping[str, str],
) -> None:
    """They print what they print without the checks."""
    made = compiled(program, reference_library, tmp_path)
    plain = run([*loader, made], {**variables, "HSA_TOOLS_LIB": ""})
    checked = run([*loader, made], variables)

    assert (plain.returncode, plain.stdout) == (checked.returncode, checked.stdout)
    assert "hsa-check" not in checked.stderr


@pytest.fixture
def area() -> Area:
    area = Area()
    area.stores[:] = range(1, len(STORES) + 1)
    return area


def test_a_signal_is_watched_until_it_is_no_more(area: Area) -> None:
    watched = WatchedSignals(ctypes.addressof(area))
    signals = [0x1000 + 64 * PLACES * n for n in range(PROBES)]  # all want the same place
    for signal in signals:
        watched.watch(signal, True)
    for signal in signals[1:]:
        watched.watch(signal, False)

    assert [signals[0]] == [s for s in area.signals if s > 1]


def test_a_signal_without_a_place_is_left_out(area: Area) -> None:
    watched = WatchedSignals(ctypes.addressof(area))
    signals = [0x1000 + 64 * PLACES * n for n in range(PROBES + 1)]
    for signal in signals:
        watched.watch(signal, True)

    assert set(signals[:PROBES]) == {s for s in area.signals if s}
