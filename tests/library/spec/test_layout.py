"""Types are laid out as a C compiler lays them out.

The declarations here were written down by themselves, not generated from the registry.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hsa_spec import Registry
from hsa_spec.layout import place_of, pointee, size_of

HANDLES = ("hsa_agent_t", "hsa_isa_t", "hsa_amd_memory_pool_t", "hsa_amd_vmem_alloc_handle_t")
STRUCTS = {
    "hsa_dim3_t": ("uint32_t x", "uint32_t y", "uint32_t z"),
    "hsa_amd_hdp_flush_t": ("uint32_t* HDP_MEM_FLUSH_CNTL", "uint32_t* HDP_REG_FLUSH_CNTL"),
    "hsa_amd_clock_counters_t": (
        "uint64_t gpu_clock_counter",
        "uint64_t cpu_clock_counter",
        "uint64_t system_clock_counter",
        "uint64_t system_clock_frequency",
    ),
    "hsa_amd_dim3_t": ("uint64_t x", "uint64_t y", "uint64_t z"),
    "hsa_amd_memory_access_desc_t": ("enum any permissions", "hsa_agent_t agent_handle"),
    "hsa_amd_memory_pool_link_info_t": (
        "uint32_t min_latency",
        "uint32_t max_latency",
        "uint32_t min_bandwidth",
        "uint32_t max_bandwidth",
        "bool atomic_support_32bit",
        "bool atomic_support_64bit",
        "bool coherent_support",
        "enum any link_type",
        "uint32_t numa_distance",
    ),
    "hsa_amd_pointer_info_t": (
        "uint32_t size",
        "enum any type",
        "void* agentBaseAddress",
        "void* hostBaseAddress",
        "size_t sizeInBytes",
        "void* userData",
        "hsa_agent_t agentOwner",
        "uint32_t global_flags",
        "bool registered",
        "uint32_t alloc_flags",
    ),
}
TYPES = (
    *("bool", "char", "uint8_t", "uint16_t", "int", "int32_t", "uint32_t", "int64_t", "uint64_t"),
    *("size_t", "void*", "const char*", "char[64]", "uint16_t[3]", "uint32_t [4]"),
)


def program() -> str:
    """Return C that prints, for each structure, its size, its alignment and its members' places."""
    lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>"]
    lines += ["#include <stdio.h>", "enum any { NOTHING, SOMETHING };"]
    members = {**dict.fromkeys(HANDLES, ("uint64_t handle",)), **STRUCTS}
    lines += [f"typedef struct {{ {'; '.join(m)}; }} {name};" for name, m in members.items()]
    lines += ["int main(void) {", "  size_t s, a;"]
    for name, declared in members.items():
        lines.append(f"  s = sizeof({name}); a = _Alignof({name});")
        lines.append(f'  printf("{name} %zu %zu\\n", s, a);')
        for member in (d.split()[-1] for d in declared):
            lines.append(f"  s = offsetof({name}, {member}); a = sizeof((({name}*)0)->{member});")
            lines.append(f'  printf("{name}.{member} %zu %zu\\n", s, a);')
    lines += [f'  printf("{t}= %zu 0\\n", sizeof({t}));' for t in TYPES]
    return "\n".join([*lines, "  return 0;", "}"])


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int]]:
    """Two numbers that the compiler gives for each name."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder: Path = tmp_path_factory.mktemp("layouts")
    (folder / "layouts.c").write_text(program(), encoding="utf-8")
    options = ["-std=c11", "-Wall", "-Werror", "-o", "layouts", "layouts.c"]
    subprocess.run([compiler, *options], cwd=folder, check=True)
    printed = subprocess.run([folder / "layouts"], check=True, capture_output=True, text=True)
    rows = (line.rsplit(" ", 2) for line in printed.stdout.splitlines())
    return {name: (int(first), int(second)) for name, first, second in rows}


def test_structures_are_those_that_were_measured(registry: Registry) -> None:
    """Those written down here are the registry's; the real headers measure all others."""
    assert {*HANDLES, *STRUCTS} <= set(registry.structs)
    assert all(registry.structs[name].handle for name in HANDLES)


def test_layouts_are_the_compiler_s(
    registry: Registry, measured: dict[str, tuple[int, int]]
) -> None:
    """Sizes, alignments and offsets are what a C compiler makes of the declarations."""
    for struct in (registry.structs[name] for name in (*HANDLES, *STRUCTS)):
        assert measured[struct.name] == (struct.size, struct.alignment)
        members = [name for name in measured if name.startswith(f"{struct.name}.")]
        assert members == [f"{struct.name}.{f.name}" for f in struct.fields]
        for field in struct.fields:
            assert measured[f"{struct.name}.{field.name}"] == (field.offset, field.size)


@pytest.mark.parametrize("ctype", TYPES)
def test_size_of_c_types(
    registry: Registry, measured: dict[str, tuple[int, int]], ctype: str
) -> None:
    """C types have the sizes that the compiler gives them."""
    assert measured[f"{ctype}="][0] == size_of(ctype, registry)


@pytest.mark.parametrize(
    ("ctype", "size"),
    [
        ("hsa_status_t", 4),
        ("hsa_agent_t", 8),
        ("hsa_agent_t[3]", 24),
        ("hsa_amd_pointer_info_t", 64),
        ("const hsa_amd_memory_access_desc_t*", 8),
        ("callback:hsa_agent_callback", 8),
    ],
)
def test_size_of_types_of_the_registry(registry: Registry, ctype: str, size: int) -> None:
    """Enumerations, structures and callbacks have sizes too."""
    assert size == size_of(ctype, registry)


@pytest.mark.parametrize("ctype", ["void", "hsa_nothing_t", "int[]", ""])
def test_size_of_refuses(registry: Registry, ctype: str) -> None:
    """A type that nothing defines is refused by name."""
    with pytest.raises(KeyError, match="is neither a C type nor one that the registry defines"):
        size_of(ctype, registry)


@pytest.mark.parametrize(
    ("ctype", "target"),
    [
        ("void*", "void"),
        ("void**", "void*"),
        ("const hsa_agent_t*", "hsa_agent_t"),
        ("hsa_agent_t", "hsa_agent_t"),
    ],
)
def test_pointee(ctype: str, target: str) -> None:
    """A pointer leads to what it points at."""
    assert target == pointee(ctype)


LOADER = "hsa_ven_amd_loader"


@pytest.mark.parametrize(
    ("function", "extension", "bytes_before"),
    [
        (f"{LOADER}_query_host_address", "HSA_EXTENSION_AMD_LOADER 1.00", 0),
        (f"{LOADER}_query_executable", "HSA_EXTENSION_AMD_LOADER 1.00", 16),
        (f"{LOADER}_loaded_code_object_get_info", "HSA_EXTENSION_AMD_LOADER 1.01", 32),
        (f"{LOADER}_iterate_executables", "HSA_EXTENSION_AMD_LOADER 1.03", 48),
        ("hsa_ext_image_create", "HSA_EXTENSION_IMAGES 1.00", 16),
        ("hsa_ext_sampler_create_v2", "HSA_EXTENSION_IMAGES 1", 104),
    ],
)
def test_place_of_functions_of_extensions(
    registry: Registry, function: str, extension: str, bytes_before: int
) -> None:
    """A function is found in the table of the first version that has it."""
    place = place_of(function, registry)
    assert place is not None
    assert extension == str(place.extension)
    assert function == place.member.name
    assert (bytes_before, bytes_before + 8) == (place.offset, place.end)


@pytest.mark.parametrize("function", ["hsa_init", "hsa_amd_queue_intercept_create", "hsa_nothing"])
def test_other_functions_have_no_place(registry: Registry, function: str) -> None:
    """A table of the tools' interface is of no extension, so no program can ask for it."""
    assert place_of(function, registry) is None
