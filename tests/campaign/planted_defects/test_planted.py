"""The planted defects fit their libraries, and each of them is really there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hsa_adapters import Adapter, LibraryAdapter
from hsa_adapters.hosts import Host, HostError, find
from hsa_adapters.virtual_kfd import ImitatedAdapter, load_machine
from hsa_spec import Registry
from tests.campaign.planted_defects.building import MACHINE, copy_reference
from tests.campaign.planted_defects.demonstrations.showing import at_last, shows
from tests.campaign.planted_defects.demonstrations.source_edits import SHOWS
from tests.campaign.planted_defects.drawing import (
    REFERENCE,
    REFUSED,
    ROCR,
    Defect,
    draw_defects,
    edits,
    every,
)
from tests.campaign.planted_defects.wrapping import wrap
from tests.library.third_party.build import SOURCES, compile_library
from tests.samples import sample
from tests.wrong.command import Subject
from tests.wrong.edits import edited

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.fixture(scope="module")
def host() -> Host:
    """Return a real library."""
    try:
        return find("experimental")
    except HostError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def unbroken(host: Host, registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the real library, wrapped, with no defect."""
    folder = tmp_path_factory.mktemp("unbroken")
    return wrap(host.library, host.rocr_version, None, folder, registry)


def test_a_seed_draws_the_same_defects_again() -> None:
    assert [f"{defect}" for defect in draw_defects(5)] == [
        f"{defect}" for defect in draw_defects(5)
    ]


def test_at_least_thirty_are_drawn_over_a_real_library() -> None:
    assert sum(defect.of == ROCR for defect in draw_defects(5)) >= 30


def test_who_is_to_blame_is_a_function_of_the_registry(registry: Registry) -> None:
    drawn = (*every(), *draw_defects(1), *draw_defects(2))
    named = {name for defect in drawn for name in defect.blame | defect.beside}
    assert set() == named - registry.functions.keys()


@pytest.mark.parametrize("defect", sample(list(every()), 4), ids=str)
def test_a_defect_shows_when_it_is_provoked(
    defect: Defect, host: Host, unbroken: Path, registry: Registry, tmp_path: Path
) -> None:
    """And the library does not show it without."""
    library = wrap(host.library, host.rocr_version, defect, tmp_path, registry)
    assert shows(defect, library, unbroken, host, registry)


@pytest.mark.parametrize("defect", sample(edits(), 3), ids=str)
def test_an_edit_shows_when_it_is_provoked(
    defect: Defect, registry: Registry, tmp_path: Path
) -> None:
    """And the source does not show it without."""
    if defect.of == REFERENCE:
        without, broken = (
            copy_reference(planted, tmp_path / f"{planted is None}") for planted in (None, defect)
        )
        assert not _in_reference(defect, without)
        assert at_last(lambda: _in_reference(defect, broken))
        return
    show = SHOWS[defect.kind]
    with _adapter(defect.of, None, tmp_path / "without", registry) as adapter:
        assert not show(adapter)
    with _adapter(defect.of, defect, tmp_path / "with", registry) as adapter:
        assert at_last(lambda: show(adapter))


@contextmanager
def _adapter(of: str, defect: Defect | None, folder: Path, registry: Registry) -> Iterator[Adapter]:
    """Yield the runtime in C, with or without a defect."""
    edited(SOURCES, defect.edits if defect else (), folder)
    library = LibraryAdapter(compile_library(folder / "libthird-party.so", folder), registry)
    adapter = ImitatedAdapter(library, load_machine(MACHINE)) if of == REFUSED else library
    adapter.start()
    yield adapter
    adapter.close()


def _in_reference(defect: Defect, copy: Subject) -> bool:
    """Return whether a copy of the reference shows a defect, in a Python of its own."""
    environment = {**os.environ, **copy.environment}
    command = [
        sys.executable,
        "-m",
        "tests.campaign.planted_defects.demonstrations.source_edits",
        defect.kind,
    ]
    return subprocess.run(command, env=environment, check=False).returncode == 1
