"""What a process may leave in the system when it ends: files for a time, segments, processes."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence

from hsa_adapters.worker.resources.descriptors import room

_DESCRIPTORS = "/proc/self/fd"
_SEGMENTS = "/proc/sysvipc/shm"
#: Folders of what is not meant to stay.
_PASSING = ("/dev/shm/", "/tmp/", "/var/tmp/")
#: The folder of an imitated machine, whose files are no concern of the library.
MACHINE = "HSA_VIRTUAL_KFD"
#: How names of files begin that are the tester's.
_OURS = "/.hsa-conformance-"

#: Path, device and number of a file.
Named = tuple[str, int, int]


def named_files(since: float) -> list[Named]:
    """Return the files for a time that are this process's, made since it began.

    Those are its own that it has open or mapped, and those whose names bear its number.

    Args:
        since: when it began, in seconds of the clock of files.

    """
    temporary = os.environ.get("TMPDIR", "/tmp").rstrip("/") + "/"
    machine = os.environ.get(MACHINE, "/proc").rstrip("/") + "/"
    found = []
    for path in sorted({*_paths(), *_numbered(temporary)}):
        passing = path.startswith((*_PASSING, temporary)) and _OURS not in path
        if not passing or path.startswith(machine):
            continue
        with contextlib.suppress(OSError):
            told = os.stat(path)  # noqa: PTH116
            if told.st_ctime >= since:
                found.append((path, told.st_dev, told.st_ino))
    return found


def _paths() -> Iterator[str]:
    with room():
        with open("/proc/self/maps") as maps:  # noqa: PTH123
            yield from (line[line.index("/") :].rstrip("\n") for line in maps if "/" in line)
        for name in os.listdir(_DESCRIPTORS):  # noqa: PTH208
            with contextlib.suppress(OSError):
                yield os.readlink(f"{_DESCRIPTORS}/{name}")  # noqa: PTH115


def _numbered(temporary: str) -> Iterator[str]:
    """Return the files for a time whose names bear the number of this process."""
    number = re.compile(rf"(?<!\d){os.getpid()}(?!\d)")
    for folder in sorted({*_PASSING, temporary}):
        with contextlib.suppress(OSError):
            yield from (folder + name for name in os.listdir(folder) if number.search(name))  # noqa: PTH208


def left_by(pid: int, files: Sequence[Sequence[object]]) -> list[str]:
    """Return in words what is there of a process that has ended.

    Args:
        pid: its number.
        files: what `named_files` told in it.

    """
    left = [f"the file {path}" for path, *which in files if _which(path) == which]
    left += [f"the shared memory segment {number}" for number in _segments(pid)]
    # What it started belongs to the process that started both of us by now.
    return left + [f"the process {name}" for name in _others()]


def _which(path: object) -> list[int]:
    try:
        told = os.stat(str(path))  # noqa: PTH116
    except OSError:
        return []
    return [told.st_dev, told.st_ino]


def _segments(pid: int) -> list[str]:
    """Return the numbers of the segments of System V that a process made."""
    try:
        with open(_SEGMENTS) as table:  # noqa: PTH123
            rows = [line.split() for line in table][1:]
    except OSError:
        return []
    return [row[1] for row in rows if row[4] == str(pid)]


def _others() -> list[str]:
    """Return the names of processes beside this one that its parent has got."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        try:
            with open(f"/proc/{name}/stat") as file:  # noqa: PTH123
                command, _, rest = file.read().rpartition(")")
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if parent == str(os.getppid()) and name != str(os.getpid()) and state != "Z":
            found.append(command.partition("(")[2])
    return found
