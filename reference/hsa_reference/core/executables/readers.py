"""Readers of code."""

from __future__ import annotations

import os
from pathlib import Path

from hsa_reference import memory
from hsa_reference.core.executables.source import Source
from hsa_reference.handles import READERS
from hsa_reference.objects import Objects
from hsa_reference.state import Part, State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer


class Readers(Part):
    """The live readers, by handle."""

    def __init__(self, state: State) -> None:
        self.by_handle: Objects[int, Source] = Objects()
        self._serial = 0
        state.things["code_object_reader"] = self.by_handle.get
        state.facts["file_is_readable"] = is_readable
        state.facts["reads_code"] = lambda reader: self.by_handle[reader].code is not None

    def add(self, source: Source) -> int:
        """Return the handle of a new reader.

        Raises:
            OSError: there is no memory.

        """
        self._serial += 1
        self.by_handle[READERS + self._serial] = source
        return READERS + self._serial

    def release(self) -> None:
        """Forget every reader."""
        self.by_handle.clear()


def hsa_code_object_reader_create_from_file(
    state: State, file: int, code_object_reader: int
) -> Answer:
    """Make a reader of a whole file; it is read when the code is loaded."""
    return make_file_reader(state, file, 0, None, code_object_reader)


def hsa_code_object_reader_create_from_memory(
    state: State, code_object: int, size: int, code_object_reader: int
) -> Answer:
    """Make a reader of memory; it is read when the code is loaded."""
    return _make(state, Source(code_object, size), code_object_reader)


def hsa_code_object_reader_destroy(state: State, code_object_reader: int) -> Answer:
    """Forget a reader. Files and memory are the application's."""
    del state.part(Readers).by_handle[code_object_reader]
    return SUCCESS


def make_file_reader(
    state: State, file: int, offset: int, size: int | None, code_object_reader: int
) -> Answer:
    """Make a reader of a part of a file; of size None, of all that follows."""
    path = os.fsencode(Path(f"/proc/self/fd/{file}").readlink())
    return _make(state, Source(offset, size, file, path), code_object_reader)


def _make(state: State, source: Source, code_object_reader: int) -> Answer:
    try:
        handle = state.part(Readers).add(source)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(code_object_reader, handle, 8)
    return SUCCESS


def is_readable(file: int) -> bool:
    """Return whether a descriptor is open for reading, and what it names can be read anywhere."""
    try:
        os.pread(file, 1, 0)
    except (OSError, OverflowError):
        return False
    return True
