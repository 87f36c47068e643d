"""Libraries with a defect, or with none, and how the suite is told to judge them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import hsa_reference
from hsa_adapters.hosts import Host
from hsa_spec import Registry
from tests.campaign.planted_defects.drawing import REFERENCE, REFUSED, ROCR, Defect
from tests.campaign.planted_defects.wrapping import wrap
from tests.library.third_party.build import SOURCES, compile_library, subject
from tests.wrong.command import Subject
from tests.wrong.edits import edited

MACHINE: Final = "gfx90a"


def build(of: str, defect: Defect | None, folder: Path, host: Host, registry: Registry) -> Subject:
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
        return Subject(("--library", f"{library}", *options, "--virtual-kfd", MACHINE))
    if of != REFERENCE:
        sources = edited(SOURCES, defect.edits if defect else (), folder / "runtime")
        found = subject(compile_library(folder / "libthird-party.so", sources))
        driver = ("--virtual-kfd", MACHINE) if of == REFUSED else ()
        return Subject((*found.options, *driver))
    return copy_reference(defect, folder)


def copy_reference(defect: Defect | None, folder: Path) -> Subject:
    """Copy the reference, with a defect or none, to a folder that Python looks at first."""
    sources = Path(hsa_reference.__file__).parent
    edited(sources, defect.edits if defect else (), folder / "hsa_reference")
    paths = [f"{folder}", *filter(None, [os.environ.get("PYTHONPATH")])]
    return Subject((), {"PYTHONPATH": os.pathsep.join(paths)})
