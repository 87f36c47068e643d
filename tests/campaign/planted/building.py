"""Libraries with a defect, or with none, and how the suite is told to judge them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import hsa_reference
from hsa_adapters.hosts import Host
from hsa_spec import Registry
from tests.campaign.planted.drawing import REFERENCE, REFUSED, ROCR, Defect
from tests.campaign.planted.wrapping import wrap
from tests.library.third_party.build import CLAIM, SOURCES, compile_library

MACHINE: Final = "gfx90a"


@dataclass(frozen=True)
class Built:
    """A library that can be judged.

    Args:
        options: of `hsa-conformance run`, which say what it is.
        environment: variables of that command beside those of this process.

    """

    options: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)


def build(of: str, defect: Defect | None, folder: Path, host: Host, registry: Registry) -> Built:
    """Build one.

    Args:
        of: what is broken, one of ROCR, THIRD_PARTY, REFUSED and REFERENCE.
        defect: of that; None for none.
        folder: where files go; it is made.
        host: the real library.
        registry: says how functions are called.

    """
    folder.mkdir(parents=True)
    if of == ROCR:
        library = wrap(host.library, host.rocr_version, defect, folder, registry)
        options = ("--via", host.via, "--release", host.rocr_version)
        return Built(("--library", f"{library}", *options, "--virtual-kfd", MACHINE))
    if of != REFERENCE:
        shutil.copytree(SOURCES, folder / "runtime")
        plant(defect, folder / "runtime")
        library = compile_library(folder / "libthird-party.so", folder / "runtime")
        options = ("--claim", f"{CLAIM}", "--hsa-version", "1.0")
        driver = ("--virtual-kfd", MACHINE) if of == REFUSED else ()
        return Built(("--library", f"{library}", *options, *driver))
    return copy_reference(defect, folder)


def copy_reference(defect: Defect | None, folder: Path) -> Built:
    """Copy the reference, with a defect or none, to a folder that Python looks at first."""
    sources = Path(hsa_reference.__file__).parent
    target = folder / "hsa_reference"
    shutil.copytree(sources, target, ignore=shutil.ignore_patterns("__pycache__"))
    plant(defect, target)
    paths = [f"{folder}", *filter(None, [os.environ.get("PYTHONPATH")])]
    return Built((), {"PYTHONPATH": os.pathsep.join(paths)})


def plant(defect: Defect | None, sources: Path) -> None:
    """Put the edits of a defect into a copy of what it is of.

    Raises:
        ValueError: text that an edit replaces is not there once.

    """
    for edit in defect.edits if defect else ():
        path = sources / edit.file
        text = path.read_text("utf-8")
        if text.count(edit.was) != 1:
            raise ValueError(f"{defect}: {edit.was!r} is not there once in {edit.file}")
        path.write_text(text.replace(edit.was, edit.becomes), "utf-8")
