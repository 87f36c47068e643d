"""The runtime on its own machine, on others that texts allow, and on a contradictory one."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.library.third_party.build import HERE, SOURCES, compile_library
from tests.library.third_party.judging import judge
from tests.samples import sample
from tests.wrong.edits import Edit, edited

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

MACHINES = yaml.safe_load((HERE / "machines.yaml").read_text("utf-8"))


def test_the_suite_finds_no_fault_in_it(tmp_path: Path) -> None:
    """Each clause that applies is judged and holds."""
    judged = judge(compile_library(tmp_path / "libthird-party.so"), tmp_path / "run")
    assert {} == dict(judged.verdicts)
    assert 0 == judged.status
    assert judged.passing >= 470


@pytest.mark.parametrize("machine", sample(MACHINES, 3), ids=lambda machine: machine["name"])
def test_every_machine_is_judged(machine: Mapping[str, Any], tmp_path: Path) -> None:
    """What the texts allow breaks no clause, and what contradicts itself is judged."""
    sources = edited(SOURCES, map(Edit.read, machine["edits"]), tmp_path / "runtime")
    library = compile_library(tmp_path / "libmine.so", sources)
    select = [word for name in machine["select"] for word in ("--select", name)]
    judged = judge(library, tmp_path / "run", *select)
    broken = machine.get("broken", [])
    assert broken == sorted(judged.verdicts), judged.why
    assert bool(broken) == (judged.status != 0)
