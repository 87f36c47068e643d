"""Programs of a run under somebody else's emulator: there, or nowhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hsa_conformance.reproduce import NoTargetError, Target
from hsa_reports import RunStarted
from tests.unit.reports.report_samples import STARTED

EMULATED = "emulator of somebody"


def started(library: Path, *command: str) -> RunStarted:
    """Return the start of a run under an emulator, of a library that is there."""
    library.touch()
    subject = replace(STARTED.subject, path=str(library), imitation=EMULATED)
    return replace(STARTED, subject=subject, command=("hsa-conformance", "run", *command))


def test_a_program_is_started_by_what_started_the_run(tmp_path: Path) -> None:
    target = Target(started(tmp_path / "library.so", "--via=env EMULATOR=here {argv}"))
    text = "import os\nprint(os.environ['EMULATOR'], os.environ.get('LD_PRELOAD'))\nsys.exit(1)"

    said = target.run(text, "python", None)

    assert (["python"], 1, "here None") == ([*target.languages], said.status, said.line)
    assert "virtual-kfd" not in target.start(None)


@pytest.mark.parametrize("library", [None, "another.so"])
def test_without_it_no_program_is_run(tmp_path: Path, library: str | None) -> None:
    """On the bare machine, or on the virtual KFD, it would say nothing of the run."""
    for name in filter(None, ["library.so", library]):
        (tmp_path / name).touch()
    run = started(tmp_path / "library.so")
    with pytest.raises(NoTargetError, match=r"under the emulator of somebody.*--via"):
        Target(run, library and str(tmp_path / library))
