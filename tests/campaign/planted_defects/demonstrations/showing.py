"""Whether a library shows a defect when it is provoked."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hsa_adapters import Adapter, LibraryAdapter
from hsa_adapters.hosts import Host
from hsa_adapters.virtual_kfd import ImitatedAdapter, cached, load_machine, prepare
from hsa_spec import Registry
from tests.campaign.planted_defects.building import MACHINE
from tests.campaign.planted_defects.demonstrations import races, refusals, traversals
from tests.campaign.planted_defects.drawing import HERE, Defect

PROGRAM: Final = HERE / "demonstrations/program"
#: How often a program is run that meets a race.
TRIES: Final = 20

#: What provokes a defect in threads, by the file that it is in.
_RACES: Final[Mapping[str, Callable[[Adapter, Mapping[str, Any]], bool]]] = {
    "kept_argument.c": races.kept_argument,
    "first_use.c": races.first_use,
    "lost_update.c": races.lost_update,
    "unguarded_count.c": races.unguarded_count,
    "unguarded_list.c": races.unguarded_list,
    "lost_wake_up.c": races.lost_wake_up,
    "two_locks.c": races.two_locks,
    "free_list.c": races.free_list,
    "lock_in_wait.c": races.lock_in_wait,
    "kept_by_thread.c": races.kept_by_thread,
    "held_by_peer.c": races.held_by_peer,
    "file_left.c": races.file_left,
}


def shows(defect: Defect, library: Path, without: Path, host: Host, registry: Registry) -> bool:
    """Return whether a library shows a defect, and does not without it.

    Args:
        defect: of ROCR.
        library: which has it, made by `wrap`.
        without: the one that has none.
        host: where both can be loaded.
        registry: says how functions are called.

    """
    scenario = _scenario(defect)
    if scenario:
        program = _compiled(library.parent)
        return not _runs_badly(program, without, scenario, host) and _runs_badly(
            program, library, scenario, host
        )
    show = _RACES.get(defect.file)
    right, wrong = _adapter(without, host, registry), _adapter(library, host, registry)
    try:
        if show:
            return not show(right, defect.place) and at_last(lambda: show(wrong, defect.place))
        function = defect.place.get("FUNCTION", "hsa_init")
        if defect.file == "hidden.c":
            return traversals.reported(right, function) > traversals.reported(wrong, function)
        return refusals.observe(right, function) != refusals.observe(wrong, function)
    finally:
        right.close()
        wrong.close()


def at_last(show: Callable[[], bool]) -> bool:
    """Return whether a defect shows that may need several tries, on a machine that is busy."""
    return any(show() for _ in range(TRIES))


def _adapter(library: Path, host: Host, registry: Registry) -> Adapter:
    adapter = LibraryAdapter(library, registry, via=host.via, release=host.rocr_version)
    imitated = ImitatedAdapter(adapter, load_machine(MACHINE))
    imitated.start()
    return imitated


def _scenario(defect: Defect) -> tuple[str, str] | None:
    """Return what the program has to do, if it is the one that provokes the defect."""
    place = defect.place
    match defect.file:
        case "first_use.c" if "iterate" in place["FUNCTION"]:
            return "first", place["FUNCTION"]
        case "lost_registration.c":
            return "beside", ""
        case "lock_in_handler.c":
            return "handler", place.get("FUNCTION", "")
        case "end_of_process.c":
            return "child" if "WAITS_IN_CHILD" in place else "end", place["FUNCTION"]
        case "thread_left.c":
            return "close", ""
        case "image.c":
            return "load", place["MISSING"]
        case _:
            return None


def _compiled(folder: Path) -> Path:
    program = folder / "demonstrate"
    options = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"]
    files = sorted(PROGRAM.glob("*.c"))
    subprocess.run(["cc", *options, f"-I{folder}", *files, "-o", program, "-ldl"], check=True)
    return program


def _runs_badly(program: Path, library: Path, scenario: tuple[str, str], host: Host) -> bool:
    """Return whether the program says that the defect is there, or dies of it."""
    words = shlex.split(host.via)
    loader = words[: next(i for i, w in enumerate(words) if Path(w).name.startswith("python"))]
    with TemporaryDirectory() as name:
        kfd = prepare(load_machine(MACHINE), Path(name), library=cached())
        environment = {**os.environ, **kfd.environment()}
        for _ in range(TRIES):
            command = [*loader, f"{program}", f"{library}", *scenario]
            status = subprocess.run(command, env=environment, check=False, timeout=60).returncode
            assert status != 2, f"{scenario} cannot be tried"
            if status:
                return True
    return False
