"""Packets, queues, signals, images, profiles and BRIG, by the headers of a runtime.

The variable HSA_INCLUDE names another folder than /usr/include/hsa, such as that of newer sources.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

import hsa_adapters.virtual_kfd
from hsa_adapters.virtual_kfd.build import write_header
from hsa_adapters.worker.calls import answers
from hsa_conformance.code_objects import notes
from hsa_conformance.code_objects import targets as of_suite
from hsa_conformance.code_objects.build import _ABI
from hsa_conformance.topics.finalizer.programs import brig as made
from hsa_conformance.topics.shared import queues
from hsa_device.server import queue as of_device
from hsa_device.targets import TARGETS
from hsa_reference.amdgpu import notes as of_reference
from hsa_reference.amdgpu import target as targets
from hsa_reference.amdgpu.elf import Note
from hsa_reference.aqlprofile import aqlprofile, commands, profile
from hsa_reference.checking import own_memory, spans
from hsa_reference.checking import packets as checked
from hsa_reference.core.queues import packets as performed
from hsa_reference.core.queues import queue as made_queues
from hsa_reference.core.queues import ring
from hsa_reference.core.signals import state as signals
from hsa_reference.finalizer import brig
from hsa_reference.images.images import shapes
from tests.library.tables.from_c import constants, fields, members, values

INCLUDE = Path(os.environ.get("HSA_INCLUDE", "/usr/include/hsa"))
DRIVER = Path(hsa_adapters.virtual_kfd.__file__).parent / "driver"

if not (INCLUDE / "hsa.h").exists():
    pytest.skip("needs the headers of libhsa-runtime-dev", allow_module_level=True)


def headers(*names: str) -> list[str]:
    return [str(INCLUDE / f"{name}.h") for name in names]


EXTENSIONS = headers("hsa_ext_amd", "hsa_ext_image")
PROFILE = headers("hsa_ven_amd_aqlprofile")
MODULES = headers("Brig")
QUEUES = headers("amd_hsa_queue", "amd_hsa_signal")
ELF = headers("amd_hsa_elf")


def options(include: list[str]) -> tuple[str, ...]:
    """Return what the compiler needs to read headers: some are C++."""
    return ("-x", "c++") if include in (MODULES, ELF) else ()


_DISPATCH: Final = [
    *("header", "setup", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "reserved0"),
    *("grid_size_x", "grid_size_y", "grid_size_z", "private_segment_size", "group_segment_size"),
    *("kernel_object", "kernarg_address", "reserved2", "completion_signal"),
]
_SIGNALS: Final = [f"dep_signal[{number}]" for number in range(5)]
_BARRIER: Final = ["header", "reserved0", "reserved1", *_SIGNALS, "reserved2", "completion_signal"]
_VALUE: Final = [
    *("header.header", "header.AmdFormat", "header.reserved", "reserved0", "signal", "value"),
    *("mask", "cond", "reserved1", "reserved2", "reserved3", "completion_signal"),
]
_BUFFERS: Final = [
    f"{name}_buffer.{part}" for name in ("output", "command") for part in ("ptr", "size")
]
_BRIG_MODULE: Final = [
    *("name", "hsailMajor", "hsailMinor", "profile", "machineModel", "defaultFloatRound"),
]
_BRIG_VARIABLE: Final = [
    *("name", "init", "type", "segment", "align", "dim.lo", "dim.hi", "modifier", "linkage"),
    "allocation",
]
_BRIG_HEADER: Final = [
    *("identification", "brigMajor", "brigMinor", "byteCount"),
    *("reserved", "sectionCount", "sectionIndex"),
]


@pytest.mark.parametrize(
    ("layout", "include", "structure", "names"),
    [
        (performed._DISPATCH_LAYOUT, EXTENSIONS, "hsa_kernel_dispatch_packet_t", _DISPATCH),
        (of_device._PACKET, EXTENSIONS, "hsa_kernel_dispatch_packet_t", _DISPATCH),
        (performed._BARRIER_LAYOUT, EXTENSIONS, "hsa_barrier_and_packet_t", _BARRIER),
        (performed._VALUE_LAYOUT, EXTENSIONS, "hsa_amd_barrier_value_packet_t", _VALUE),
        (spans._PITCHED, EXTENSIONS, "hsa_pitched_ptr_t", ["base", "pitch", "slice"]),
        (spans._DIM3, EXTENSIONS, "hsa_dim3_t", ["x", "y", "z"]),
        (
            shapes._SHORT,
            EXTENSIONS,
            "hsa_ext_image_descriptor_t",
            [
                *("geometry", "width", "height", "depth", "array_size"),
                *("format.channel_type", "format.channel_order"),
            ],
        ),
        (
            shapes._PLACES,
            EXTENSIONS,
            "hsa_ext_image_region_t",
            [f"{part}.{axis}" for part in ("offset", "range") for axis in "xyz"],
        ),
        (
            profile._PROFILE,
            PROFILE,
            "hsa_ven_amd_aqlprofile_profile_t",
            [
                *("agent", "type", "events", "event_count", "parameters", "parameter_count"),
                *_BUFFERS,
            ],
        ),
        (
            profile._EVENT,
            PROFILE,
            "hsa_ven_amd_aqlprofile_event_t",
            ["block_name", "block_index", "counter_id"],
        ),
        (
            profile._PARAMETER,
            PROFILE,
            "hsa_ven_amd_aqlprofile_parameter_t",
            ["parameter_name", "value"],
        ),
        (
            aqlprofile._PMC_DATA,
            PROFILE,
            "hsa_ven_amd_aqlprofile_info_data_t",
            [
                "sample_id",
                *(f"pmc_data.event.{n}" for n in ("block_name", "block_index", "counter_id")),
                "pmc_data.result",
            ],
        ),
        (
            aqlprofile._TRACE_DATA,
            PROFILE,
            "hsa_ven_amd_aqlprofile_info_data_t",
            ["sample_id", "trace_data.ptr", "trace_data.size"],
        ),
        (brig._HEADER, MODULES, "BrigModuleHeader", _BRIG_HEADER),
        (
            brig._SECTION,
            MODULES,
            "BrigSectionHeader",
            ["byteCount", "headerByteCount", "nameLength"],
        ),
        (brig._ENTRY, MODULES, "BrigBase", ["byteCount", "kind"]),
        (brig._MODULE_ENTRY, MODULES, "BrigDirectiveModule", _BRIG_MODULE),
        (
            brig._EXECUTABLE_ENTRY,
            MODULES,
            "BrigDirectiveExecutable",
            [
                *("name", "outArgCount", "inArgCount", "firstInArg", "firstCodeBlockEntry"),
                *("nextModuleEntry", "modifier", "linkage"),
            ],
        ),
        (brig._VARIABLE_ENTRY, MODULES, "BrigDirectiveVariable", _BRIG_VARIABLE),
        (brig._FBARRIER_ENTRY, MODULES, "BrigDirectiveFbarrier", ["name", "modifier", "linkage"]),
        (brig._LENGTH, MODULES, "BrigData", ["byteCount"]),
    ],
)
def test_structures_are_laid_out_as_in_the_header(
    layout: struct.Struct, include: list[str], structure: str, names: list[str]
) -> None:
    wanted = [f"offsetof({structure}, {name})" for name in names]
    wanted += [f"sizeof((({structure} *)0)->{name})" for name in names]
    *found, size = constants(include, [*wanted, f"sizeof({structure})"], *options(include))
    assert [*zip(found[: len(names)], found[len(names) :], strict=True)] == fields(layout)
    # After these comes a name, or what else there is, of any length.
    assert size == layout.size or structure in ("BrigSectionHeader", "BrigData")


_TYPE: Final = "HSA_PACKET_TYPE"
NUMBERS: Final[dict[str, tuple[list[str], dict[str, int]]]] = {
    "packets that are checked": (
        EXTENSIONS,
        {
            "sizeof(hsa_kernel_dispatch_packet_t)": checked.PACKET,
            f"{_TYPE}_VENDOR_SPECIFIC": checked.VENDOR,
            f"{_TYPE}_INVALID": checked.INVALID,
            f"{_TYPE}_KERNEL_DISPATCH": checked.KERNEL,
            f"{_TYPE}_BARRIER_AND": checked.BARRIER_AND,
            f"{_TYPE}_AGENT_DISPATCH": checked.AGENT,
            f"{_TYPE}_BARRIER_OR": checked.BARRIER_OR,
            "HSA_FENCE_SCOPE_SYSTEM": checked.SYSTEM_SCOPE,
        },
    ),
    "packets of the reference": (
        EXTENSIONS,
        {
            "sizeof(hsa_barrier_and_packet_t)": ring.PACKET,
            f"{_TYPE}_VENDOR_SPECIFIC": performed._VENDOR,
            f"{_TYPE}_INVALID": ring.INVALID,
            f"{_TYPE}_KERNEL_DISPATCH": performed._DISPATCH,
            f"{_TYPE}_BARRIER_AND": performed._BARRIER_AND,
            f"{_TYPE}_BARRIER_OR": performed._BARRIER_OR,
            "HSA_AMD_PACKET_TYPE_BARRIER_VALUE": performed._BARRIER_VALUE,
        },
    ),
    "packets of the suite": (
        EXTENSIONS,
        {
            "sizeof(hsa_barrier_or_packet_t)": queues.PACKET,
            f"{_TYPE}_INVALID": queues.INVALID,
            f"{_TYPE}_BARRIER_AND": queues.BARRIER_AND,
            f"{_TYPE}_BARRIER_OR": queues.BARRIER_OR,
            f"{_TYPE}_VENDOR_SPECIFIC": queues.VENDOR,
            "1 << HSA_PACKET_HEADER_BARRIER": queues.BARRIER_BIT,
            f"{_TYPE}_KERNEL_DISPATCH": queues._DISPATCH,
            "HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE"
            " | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE": (
                queues._SYSTEM_FENCES
            ),
            "HSA_AMD_PACKET_TYPE_BARRIER_VALUE": queues._BARRIER_VALUE,
        },
    ),
    "packets of the worker": (
        EXTENSIONS,
        {"sizeof(hsa_kernel_dispatch_packet_t)": answers._PACKET},
    ),
    "queues and signals": (
        QUEUES,
        {
            "offsetof(amd_queue_t, read_dispatch_id)": checked._READ_INDEX,
            "offsetof(amd_signal_t, value)": own_memory._VALUE,
            "offsetof(amd_queue_t, compute_tmpring_size)": of_device._SCRATCH_PLACE,
        },
    ),
    "queues and signals of the reference": (
        QUEUES,
        {
            "offsetof(amd_queue_t, write_dispatch_id)": made_queues.WRITE_INDEX,
            "offsetof(amd_queue_t, read_dispatch_id)": made_queues.READ_INDEX,
            "offsetof(amd_signal_t, value)": signals.VALUE,
            "offsetof(amd_signal_t, event_id)": signals.EVENT_ID,
            "offsetof(amd_signal_t, start_ts)": signals._TIMES,
            "offsetof(amd_signal_t, reserved3)": signals._WAITERS_OFFSET,
            "sizeof(amd_signal_t)": signals._SIZE,
        },
    ),
    "profiles": (
        PROFILE,
        {
            "HSA_VEN_AMD_AQLPROFILE_EVENT_TYPE_PMC": profile.PMC,
            "HSA_VEN_AMD_AQLPROFILE_EVENT_TYPE_TRACE": profile.TRACE,
            "sizeof(((hsa_ven_amd_aqlprofile_info_data_t *)0)->pmc_data.result)": profile.RESULT,
            "offsetof(hsa_ext_amd_aql_pm4_packet_t, pm4_command)": commands._COMMANDS_AT,
            "sizeof(((hsa_ext_amd_aql_pm4_packet_t *)0)->pm4_command)": commands._PACKET.size,
        },
    ),
    "modules": (
        MODULES,
        {
            "BRIG_KIND_DIRECTIVE_FBARRIER": brig._FBARRIER,
            "BRIG_KIND_DIRECTIVE_FUNCTION": brig._FUNCTION,
            "BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION": brig._INDIRECT,
            "BRIG_KIND_DIRECTIVE_KERNEL": brig._KERNEL,
            "BRIG_KIND_DIRECTIVE_MODULE": brig._MODULE,
            "BRIG_KIND_DIRECTIVE_SIGNATURE": brig._SIGNATURE,
            "BRIG_KIND_DIRECTIVE_VARIABLE": brig._VARIABLE,
            "BRIG_LINKAGE_PROGRAM": brig._PROGRAM_LINKAGE,
            "BRIG_EXECUTABLE_DEFINITION": brig._DEFINITION,
            "BRIG_VARIABLE_DEFINITION": brig._DEFINITION,
            "BRIG_VERSION_BRIG_MAJOR": brig._MAJOR,
            "BRIG_VERSION_HSAIL_MAJOR": brig._MAJOR,
        },
    ),
    "modules of the suite": (
        MODULES,
        {
            "BRIG_TYPE_U32": made.U32,
            "BRIG_TYPE_U64": made.U64,
            "BRIG_ROUND_FLOAT_DEFAULT": made.ANY_ROUNDING,
            "BRIG_KIND_DIRECTIVE_MODULE": made._MODULE,
            "BRIG_KIND_DIRECTIVE_VARIABLE": made._VARIABLE,
            "BRIG_SEGMENT_GLOBAL": made._GLOBAL,
            "BRIG_ALIGNMENT_8": made._ALIGNED,
            "BRIG_ALLOCATION_PROGRAM": made._OF_PROGRAM,
            "offsetof(BrigSectionHeader, name)": made._SECTION_HEAD,
            "sizeof(BrigModuleHeader)": made._HEAD,
        },
    ),
    "notes": (
        ELF,
        {
            "NT_AMD_HSA_CODE_OBJECT_VERSION": notes._VERSION,
            "NT_AMD_HSA_HSAIL": notes._LANGUAGE,
            "NT_AMD_HSA_ISA_VERSION": notes._ISA,
            "ELF::EF_AMDGPU_FEATURE_XNACK_ANY_V4": of_suite._XNACK_ANY,
            "ELF::EF_AMDGPU_FEATURE_SRAMECC_ANY_V4": of_suite._SRAMECC_ANY,
            "ELF::ELFOSABI_AMDGPU_HSA": _ABI,
        },
    ),
    "notes of the reference": (
        ELF,
        {
            "NT_AMD_HSA_CODE_OBJECT_VERSION": of_reference._VERSION[1],
            "NT_AMD_HSA_HSAIL": of_reference._LANGUAGE[1],
            "NT_AMD_HSA_ISA_VERSION": of_reference._ISA[1],
        },
    ),
}


@pytest.mark.parametrize("table", NUMBERS)
def test_numbers_are_those_of_the_header(table: str) -> None:
    include, ours = NUMBERS[table]
    assert values(include, ours, *options(include)) == ours


def numbers_at(content: bytes, places: Sequence[tuple[int, int]]) -> list[int]:
    return [int.from_bytes(content[at : at + size], "little") for at, size in places]


def test_the_suite_dispatches_as_the_header_lays_it_out() -> None:
    places = members(EXTENSIONS, "hsa_kernel_dispatch_packet_t", _DISPATCH)
    packet = queues.dispatch(5, 6, 7, private=3, group=4, bits=queues.BARRIER_BIT)
    head = queues._DISPATCH | queues._SYSTEM_FENCES | queues.BARRIER_BIT
    assert [head, 1, 1, 1, 1, 0, 1, 1, 1, 3, 4, 5, 6, 0, 7] == numbers_at(packet, places)


def test_the_suite_waits_as_the_header_lays_it_out() -> None:
    places = members(EXTENSIONS, "hsa_barrier_or_packet_t", _BARRIER)
    packet = queues.barrier([1, 2, 3, 4, 5], 6, kind=queues.BARRIER_OR, bits=0)
    assert [queues.BARRIER_OR, 0, 0, 1, 2, 3, 4, 5, 0, 6] == numbers_at(packet, places)
    packet = queues.barrier([1, 2], 6, kind=queues.BARRIER_OR, bits=queues.BARRIER_BIT)
    bits = queues.BARRIER_OR | queues.BARRIER_BIT
    assert [bits, 0, 0, 1, 2, 0, 0, 0, 0, 6] == numbers_at(packet, places)
    places = members(EXTENSIONS, "hsa_amd_barrier_value_packet_t", _VALUE)
    packet = queues.barrier_value(1, 2, 3, 4, 5)
    head = [queues.VENDOR, queues._BARRIER_VALUE, 0, 0]
    assert [*head, 1, 2, 3, 4, 0, 0, 0, 5] == numbers_at(packet, places)


def packet_of(structure: str, **numbers: int) -> checked.Packet:
    """Return a packet in which some members have these values."""
    places = members(EXTENSIONS, structure, [*numbers])
    data = bytearray(checked.PACKET)
    for (at, size), number in zip(places, numbers.values(), strict=True):
        data[at : at + size] = number.to_bytes(size, "little")
    return checked.Packet(0, bytes(data))


def test_packets_are_checked_where_the_header_has_their_members() -> None:
    names = "TYPE", "BARRIER", "SCACQUIRE_FENCE_SCOPE", "SCRELEASE_FENCE_SCOPE"
    _, barrier, acquire, release = constants(EXTENSIONS, [f"HSA_PACKET_HEADER_{n}" for n in names])
    (width,) = constants(EXTENSIONS, ["HSA_KERNEL_DISPATCH_PACKET_SETUP_WIDTH_DIMENSIONS"])
    sizes = {n: 1 for n in _DISPATCH if n.startswith(("grid", "workgroup"))}
    good: dict[str, Any] = {
        "header": checked.KERNEL | 1 << barrier | 1 << release | 2 << acquire,
        "setup": 3,
        **sizes,
        "completion_signal": 9,
    }

    def mistakes(**other: int) -> list[str]:
        packet = packet_of("hsa_kernel_dispatch_packet_t", **{**good, **other})
        assert (1, 9) == (packet.release_scope, packet.completion)
        return [text.partition(":")[0] for text in packet.mistakes()]

    assert [] == mistakes()
    assert ["reserved bits"] == mistakes(setup=1 | 1 << width)
    assert ["wrong dimensions"] == mistakes(setup=0)
    assert ["wrong fence scope"] == mistakes(header=good["header"] | 3 << acquire)
    assert ["reserved bits"] == mistakes(header=good["header"] | 1 << release + 2)
    for name in sizes:
        assert ["wrong size"] == mistakes(**{name: 0}), name
    waiting = packet_of(
        "hsa_barrier_and_packet_t",
        **{"header": checked.BARRIER_AND, **{n: i for i, n in enumerate(_SIGNALS, 1)}},
    )
    assert (1, 2, 3, 4, 5) == waiting.dependencies
    assert [] == [*waiting.mistakes()]
    for name in ("reserved0", "reserved1"):
        wrong = packet_of("hsa_barrier_and_packet_t", header=checked.BARRIER_AND, **{name: 1})
        assert 1 == len([*wrong.mistakes()]), name


def test_the_device_finds_scratch_where_the_header_has_it() -> None:
    names = ["compute_tmpring_size", *(f"scratch_resource_descriptor[{n}]" for n in range(4))]
    names.append("scratch_backing_memory_location")
    places = [(at + of_device._SCRATCH_PLACE, size) for at, size in fields(of_device._SCRATCH)]
    assert members(QUEUES, "amd_queue_t", names) == places


OF_DRIVER: Final = {
    "devices/signals.h": {
        "SIGNAL_VALUE": "offsetof(amd_signal_t, value)",
        "SIGNAL_MAILBOX": "offsetof(amd_signal_t, event_mailbox_ptr)",
        "SIGNAL_EVENT": "offsetof(amd_signal_t, event_id)",
        "SIGNAL_START": "offsetof(amd_signal_t, start_ts)",
        "SIGNAL_END": "offsetof(amd_signal_t, end_ts)",
    },
    "devices/queue.c": {
        "INACTIVE_SIGNAL": "offsetof(amd_queue_t, queue_inactive_signal)"
        " - offsetof(amd_queue_t, write_dispatch_id)",
    },
    "devices/scratch.c": {
        "RING_SIZE": "offsetof(amd_queue_t, compute_tmpring_size)"
        " - offsetof(amd_queue_t, write_dispatch_id)",
        "PROPERTIES": "offsetof(amd_queue_t, queue_properties)"
        " - offsetof(amd_queue_t, write_dispatch_id)",
        "USE_ONCE": "AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE",
    },
    "devices/aql.c": {
        "PACKET_VENDOR": f"{_TYPE}_VENDOR_SPECIFIC",
        "PACKET_INVALID": f"{_TYPE}_INVALID",
        "PACKET_DISPATCH": f"{_TYPE}_KERNEL_DISPATCH",
        "PACKET_BARRIER_AND": f"{_TYPE}_BARRIER_AND",
        "PACKET_BARRIER_OR": f"{_TYPE}_BARRIER_OR",
        "EQ": "HSA_SIGNAL_CONDITION_EQ",
        "NE": "HSA_SIGNAL_CONDITION_NE",
        "LT": "HSA_SIGNAL_CONDITION_LT",
        "GTE": "HSA_SIGNAL_CONDITION_GTE",
        "VENDOR_BARRIER_VALUE": "HSA_AMD_PACKET_TYPE_BARRIER_VALUE",
        "PACKET_BYTES": "sizeof(hsa_kernel_dispatch_packet_t)",
    },
}
#: In amd_queue_v2_t, from ROCm 6.2 on.
NEWER: Final = {
    "CAPABILITIES": "offsetof(amd_queue_v2_t, caps)"
    " - (long long)offsetof(amd_queue_v2_t, write_dispatch_id)",
    "LAST_TO_USE": "offsetof(amd_queue_v2_t, scratch_max_use_index)"
    " - offsetof(amd_queue_v2_t, write_dispatch_id)",
    "USED_BY(1)": "offsetof(amd_queue_v2_t, scratch_last_used_index[1])"
    " - offsetof(amd_queue_v2_t, write_dispatch_id)",
}


def of_driver(source: str, names: Sequence[str]) -> list[int]:
    with TemporaryDirectory() as folder:
        write_header(Path(folder))  # which is made when the driver is built
        return constants([str(DRIVER / source)], names, f"-I{DRIVER}", f"-I{folder}")


@pytest.mark.parametrize("source", OF_DRIVER)
def test_the_imitated_driver_has_the_numbers_of_the_header(source: str) -> None:
    ours = OF_DRIVER[source]
    assert constants([*EXTENSIONS, *QUEUES], [*ours.values()]) == of_driver(source, [*ours])


def test_the_imitated_driver_has_the_queues_of_newer_headers() -> None:
    if "amd_queue_v2_t" not in (INCLUDE / "amd_hsa_queue.h").read_text():
        pytest.skip("needs a newer amd_hsa_queue.h")
    found = of_driver("devices/scratch.c", [*NEWER])
    assert constants(QUEUES, [*NEWER.values()]) == found


@pytest.mark.parametrize(
    ("ours", "names", "theirs", "others"),
    [
        (
            "struct barrier",
            "header reserved0 reserved1 signals[0] signals[4] reserved2 completion",
            "hsa_barrier_and_packet_t",
            "header reserved0 reserved1 dep_signal[0] dep_signal[4] reserved2 completion_signal",
        ),
        (
            "struct barrier_value",
            "header format reserved0 reserved1 signal value mask condition reserved2 reserved3"
            " reserved4 completion",
            "hsa_amd_barrier_value_packet_t",
            " ".join(_VALUE),
        ),
        (
            "struct dispatch",
            "header setup group[0] group[1] group[2] reserved0 grid[0] grid[1] grid[2]"
            " private_size group_size code kernarg reserved1 completion",
            "hsa_kernel_dispatch_packet_t",
            " ".join(_DISPATCH),
        ),
        (
            "struct commands",
            "header format completion",
            "hsa_amd_barrier_value_packet_t",
            "header.header header.AmdFormat completion_signal",
        ),
    ],
)
def test_the_imitated_driver_has_the_packets_of_the_header(
    ours: str, names: str, theirs: str, others: str
) -> None:
    expected = members(EXTENSIONS, theirs, others.split())
    wanted = [f"offsetof({ours}, {name})" for name in names.split()]
    wanted += [f"sizeof((({ours} *)0)->{name})" for name in names.split()]
    found = of_driver("devices/aql.c", wanted)
    assert expected == [*zip(found[: len(expected)], found[len(expected) :], strict=True)]


def test_modules_of_the_suite_are_laid_out_as_in_the_header() -> None:
    """The reference, whose structures are compared above, reads what was written."""
    module = made.Module(1, 1, "&named", made.U64).content
    header = brig._HEADER.unpack_from(module)
    assert (b"HSA BRIG", 1, 0, len(module), 0, 3, made._HEAD) == header
    starts = struct.unpack_from("<3Q", module, made._HEAD)
    sections = [brig._section(module, start) for start in starts]
    assert [*made._SECTIONS] == [name for name, *_ in sections]
    (_, _, data), (_, start, code), _ = sections
    (of_module, head), (of_variable, variable) = brig._entries(code, start)
    assert (brig._MODULE, brig._VARIABLE) == (of_module, of_variable)
    assert b"\0" == head[-1:] == variable[-1:]  # reserved
    name, *rest = brig._MODULE_ENTRY.unpack(head)
    assert (b"&module", [1, 0, 1, 1, made.ANY_ROUNDING]) == (brig._text(data, name), rest)
    name, *rest = brig._VARIABLE_ENTRY.unpack(variable)
    assert b"&named" == brig._text(data, name)
    assert [0, made.U64, made._GLOBAL, made._ALIGNED, 0, 0, 0, 1, made._OF_PROGRAM] == rest


def test_processors_have_the_numbers_of_the_header() -> None:
    text = (INCLUDE / "amd_hsa_elf.h").read_text()
    names = {name: f"EF_AMDGPU_MACH_AMDGCN_{name.upper()}" for name in targets.PROCESSORS.values()}
    names = {name: number for name, number in names.items() if re.search(rf"\b{number}\b", text)}
    assert len(names) > 30
    found = constants(ELF, [f"ELF::{number}" for number in names.values()], *options(ELF))
    expected = dict(zip(names, found, strict=True))
    assert expected == {n: k for k, n in targets.PROCESSORS.items() if n in names}
    for ours in (
        {target.name: target.machine for target in of_suite.TARGETS.values()},
        {target.name: target.number for target in TARGETS.values()},
    ):
        assert {name: expected.get(name, number) for name, number in ours.items()} == ours


def test_notes_of_old_code_are_laid_out_as_in_the_header() -> None:
    written = notes.old(of_suite.TARGETS["gfx906"], 1)
    found = dict[int, bytes]()
    while written:
        owner, size, kind = struct.unpack_from("<III", written)
        start = 12 + -(-owner // 4) * 4
        assert b"AMD\0" == written[12:16]
        found[kind] = written[start : start + size]
        written = written[start + -(-size // 4) * 4 :]
    language = "hsail_major_version hsail_minor_version profile machine_model default_float_round"
    isa = "vendor_name_size architecture_name_size major minor stepping"
    for kind, structure, names, expected in (
        (1, "code_object_version", "major_version minor_version", [2, 1]),
        (2, "hsail", language, [1, 0, 1, notes._LARGE_MODEL, notes._ROUND_TO_NEAREST]),
        (3, "isa", isa, [4, 7, 9, 0, 6]),
    ):
        places = members(ELF, f"amdgpu_hsa_note_{structure}_t", names.split(), *options(ELF))
        assert expected == numbers_at(found[kind], places), structure
    where = "offsetof(amdgpu_hsa_note_isa_t, vendor_and_architecture_name)"
    (start,) = constants(ELF, [where], *options(ELF))
    assert b"AMD\0AMDGPU\0" == found[3][start:]
    read = of_reference.old_notes([Note("AMD", kind, content) for kind, content in found.items()])
    assert ("2.1", "gfx906", 1, 1, 2) == (
        *(read.version, read.target.processor, read.machine_model, read.profile, read.rounding),
    )


def test_profiles_jump_to_commands_as_the_imitated_driver_reads_it() -> None:
    """No header has the format of the vendor's packet, which amd_gpu_pm4.h of ROCr describes."""
    words = [*(f"jump[{n}]" for n in range(4)), "left", *(f"reserved1[{n}]" for n in range(8))]
    names = ["format", "reserved0", *words]
    source = "devices/aql.c"
    wanted = [f"offsetof(struct commands, {name})" for name in names]
    wanted += [f"sizeof(((struct commands *)0)->{name})" for name in names]
    (format_,) = of_driver(source, ["VENDOR_COMMANDS"])
    found = of_driver(source, wanted)
    jump, nothing = of_driver("devices/pm4.c", ["INDIRECT_BUFFER", "NOP"])
    assert (jump, nothing) == (commands._JUMP, commands._NOTHING)
    packet = bytearray(b"\xa5" * 64)
    address = ctypes.addressof(ctypes.c_char.from_buffer(packet))
    commands.write_packet(address, profile.Buffer(0x123456789ABC, 4 * 0x345))
    places = [*zip(found[: len(names)], found[len(names) :], strict=True)]
    head = 3 << 30 | (4 - 2) << 16 | jump << 8
    expected = [format_, 0, head, 0x56789ABC, 0x1234, 1 << 23 | 0x345, 10, *[0] * 8]
    assert expected == numbers_at(bytes(packet), places)
    assert b"\xa5" * 2 == packet[:2]
    assert b"\xa5" * 8 == packet[56:]


def test_errors_of_queues_have_the_codes_that_rocr_reads(tmp_path: Path) -> None:
    """No header has them: amd_aql_queue.cpp compares them one by one."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    codes = {
        "DISPATCH_DIMENSIONS": 2,
        "DISPATCH_GROUP_SEGMENT": 4,
        "DISPATCH_CODE": 8,
        "PACKET_UNSUPPORTED": 32,
        "DISPATCH_WORK_GROUP": 64,
        "DISPATCH_REGISTERS": 128,
        "VENDOR_UNSUPPORTED": 256,
        "ILLEGAL_INSTRUCTION": 0x40000000,
        "WAVE_ABORT": 0x80000000,
        "WAVE_TRAP": 0x80000000,
    }
    write_header(tmp_path)
    source, program = tmp_path / "codes.c", tmp_path / "codes"
    lines = [f'printf("%llu\\n", (unsigned long long)code_of({name}));' for name in codes]
    text = ["#include <stdio.h>", '#include "devices/queue.c"', "int main(void) {", *lines, "}"]
    source.write_text("\n".join(text))
    command = [compiler, "-w", "-no-pie", "-Wl,--unresolved-symbols=ignore-all"]
    command += [f"-I{DRIVER}", f"-I{tmp_path}", str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert [*codes.values()] == [int(line) for line in printed.splitlines()]
