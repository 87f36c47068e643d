"""What is loaded, where it lies, and what it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import memmove

from hsa_reference import memory
from hsa_reference.attributes import pack, write
from hsa_reference.callbacks import iterate
from hsa_reference.core.executables.executable import PROGRAM
from hsa_reference.core.executables.loaded_code import LoadedCode
from hsa_reference.core.executables.readers import is_readable, make_file_reader
from hsa_reference.core.executables.source import Source
from hsa_reference.core.executables.state import Executables
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, INVALID_FILE, SUCCESS, Answer

_DESCRIPTOR = "hsa_ven_amd_loader_segment_descriptor_t"
_STORAGE = "HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_"
_KIND = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_"
_INFO = "HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_"
_QUERY = "hsa_ven_amd_loader_loaded_code_object_get_info"


class Loader(Part):
    """What conditions ask about loaded code; executables keep the code itself."""

    def __init__(self, state: State) -> None:
        self._executables = state.part(Executables)
        state.facts["is_loaded_address"] = self._is_loaded
        state.facts["is_kernel_address"] = self._is_instruction
        state.facts["is_segment_count"] = self._is_count
        state.facts["file_holds_code"] = _holds_code

    def segments(self) -> Sequence[Mapping[str, object]]:
        """Return the members of a descriptor for every segment that is loaded."""
        return [s for loaded in self._executables.loaded.values() for s in _segments(loaded)]

    def _is_loaded(self, address: int) -> bool:
        return self._executables.places.around(address) is not None

    def _is_instruction(self, address: int) -> bool:
        found = self._executables.places.around(address)
        return found is not None and any(
            s.executable and s.holds(address - found.moved, 1) for s in found.code.elf.segments
        )

    def _is_count(self, number: int) -> bool:
        return number == len(self.segments())


PART = Loader


def hsa_ven_amd_loader_query_host_address(
    state: State, device_address: int, host_address: int
) -> Answer:
    """Write an address of loaded code as it is: the host reaches all of it."""
    if state.part(Executables).places.around(device_address) is None:
        return INVALID_ARGUMENT
    memory.store(host_address, device_address, 8)
    return SUCCESS


def hsa_ven_amd_loader_query_segment_descriptors(
    state: State, segment_descriptors: int, num_segment_descriptors: int
) -> Answer:
    """Write how many segments are loaded, or what there is to know about each."""
    segments = state.part(Loader).segments()
    if segment_descriptors == 0:
        memory.store(num_segment_descriptors, len(segments), 8)
        return SUCCESS
    data = b"".join(pack(state.registry, _DESCRIPTOR, s, _DESCRIPTOR) for s in segments)
    memmove(segment_descriptors, data, len(data))
    return SUCCESS


def hsa_ven_amd_loader_query_executable(
    state: State, device_address: int, executable: int
) -> Answer:
    """Write the executable that loaded what lies at an address."""
    found = state.part(Executables).places.around(device_address)
    if found is None:
        return INVALID_ARGUMENT
    memory.store(executable, found.executable, 8)
    return SUCCESS


@unlocked
def hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
    state: State, executable: int, callback: int, data: int
) -> Answer:
    """Call the application with each code object that an executable loaded."""
    with LOCK:
        handles = [e.handle for e in state.part(Executables).by_handle[executable].loaded]
    return iterate(callback, handles, data, executable)


@unlocked
def hsa_ven_amd_loader_loaded_code_object_get_info(
    state: State, loaded_code_object: int, attribute: int, value: int
) -> Answer:
    """Write the value of an attribute."""
    found = _describe(state.part(Executables).loaded[loaded_code_object])
    values = {_INFO + name: v for name, v in found.items()}
    known = write(state.registry, _QUERY, attribute, values, value)
    return SUCCESS if known else INVALID_ARGUMENT


def hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
    state: State, file: int, offset: int, size: int, code_object_reader: int
) -> Answer:
    """Make a reader of a part of a file; it is read when the code is loaded."""
    if not is_readable(file):
        return INVALID_FILE
    return make_file_reader(state, file, offset, size, code_object_reader)


@unlocked
def hsa_ven_amd_loader_iterate_executables(state: State, callback: int, data: int) -> Answer:
    """Call the application with each executable, while nobody else makes or destroys one."""
    with state.part(Executables).standing_still() as handles:
        return iterate(callback, handles, data)


def _holds_code(file: int, offset: int, size: int) -> bool:
    return Source(offset, size, file).code is not None


def _segments(loaded: LoadedCode) -> Iterator[Mapping[str, object]]:
    source = loaded.source
    for segment in loaded.code.elf.segments:
        where = {
            "agent": loaded.agent,
            "executable": loaded.executable,
            "segment_base": segment.address + loaded.moved,
            "segment_size": segment.size,
            "code_object_storage_type": f"{_STORAGE}NONE",
        }
        if not segment.data:
            yield where
        elif source.descriptor is None:
            yield where | {
                "code_object_storage_type": f"{_STORAGE}MEMORY",
                "code_object_storage_base": source.start,
                "code_object_storage_size": len(loaded.code.content),
                "code_object_storage_offset": segment.offset,
            }
        else:
            yield where | {
                "code_object_storage_type": f"{_STORAGE}FILE",
                "code_object_storage_base": source.path_address,
                "code_object_storage_size": len(source.path) + 1,
                "code_object_storage_offset": segment.offset,
            }


def _describe(loaded: LoadedCode) -> Mapping[str, object]:
    source, uri, segments = loaded.source, loaded.source.uri, loaded.code.elf.segments
    start, end = segments[0].address, segments[-1].address + segments[-1].size
    values: dict[str, object] = {
        "EXECUTABLE": loaded.executable,
        "KIND": f"{_KIND}PROGRAM",
        "LOAD_DELTA": loaded.moved % 2**64,
        "LOAD_BASE": start + loaded.moved,
        "LOAD_SIZE": end - start,
        "URI_LENGTH": len(uri),
        "URI": uri + b"\0",
    }
    if loaded.agent != PROGRAM:
        values |= {"KIND": f"{_KIND}AGENT", "AGENT": loaded.agent}
    if source.descriptor is None:
        return values | {
            "CODE_OBJECT_STORAGE_TYPE": f"{_STORAGE}MEMORY",
            "CODE_OBJECT_STORAGE_MEMORY_BASE": source.start,
            "CODE_OBJECT_STORAGE_MEMORY_SIZE": len(loaded.code.content),
        }
    return values | {
        "CODE_OBJECT_STORAGE_TYPE": f"{_STORAGE}FILE",
        "CODE_OBJECT_STORAGE_FILE": source.descriptor,
    }
