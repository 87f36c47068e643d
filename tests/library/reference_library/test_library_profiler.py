"""The profiler's own library, as a program opens it beside the reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

import hsa_spec

PROTOTYPES = """
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#define FIND(name) __typeof__(&name) call_##name = dlsym(profiler, #name)
typedef struct { uint32_t block_name, block_index, counter_id; } event_t;
uint32_t hsa_init(void);
uint32_t hsa_shut_down(void);
uint32_t hsa_iterate_agents(uint32_t (*callback)(uint64_t, void *), void *data);
uint32_t hsa_ven_amd_aqlprofile_version_major(void);
uint32_t hsa_ven_amd_aqlprofile_validate_event(uint64_t, const event_t *, bool *);
uint32_t hsa_ven_amd_aqlprofile_iterate_event_coord(
    uint64_t, event_t, uint32_t, uint32_t (*)(int, int, int, int, const char *, void *), void *);
"""

CLIENT = """
static uint32_t last(uint64_t agent, void *found)
{
    uint64_t *agents = found;
    agents[++agents[0]] = agent;
    return 0;
}

static uint32_t coordinate(int position, int id, int extent, int at, const char *name, void *data)
{
    printf("%d %d %d of %d %s %s\\n", position, id, at, extent, name, (char *)data);
    return 0;
}

int main(void)
{
    uint64_t agents[8] = {0};
    event_t event = {12, 3, 9};
    bool valid = false;
    void *profiler = dlopen("libhsa-amd-aqlprofile64.so", RTLD_NOW);
    FIND(hsa_ven_amd_aqlprofile_version_major);
    FIND(hsa_ven_amd_aqlprofile_validate_event);
    FIND(hsa_ven_amd_aqlprofile_iterate_event_coord);
    printf("version %u\\n", call_hsa_ven_amd_aqlprofile_version_major());
    uint32_t early = call_hsa_ven_amd_aqlprofile_validate_event(1, &event, &valid);
    printf("before hsa_init %#x\\n", early);
    hsa_init();
    hsa_iterate_agents(last, agents);
    uint32_t status = call_hsa_ven_amd_aqlprofile_validate_event(agents[2], &event, &valid);
    printf("%#x %d\\n", status, valid);
    call_hsa_ven_amd_aqlprofile_iterate_event_coord(agents[2], event, 2, coordinate, "data");
    hsa_shut_down();
    return 0;
}
"""


def test_a_program_opens_the_profiler_beside_the_runtime(
    run_c: Callable[..., Any], library: Path
) -> None:
    """Structures by value and callbacks included; before hsa_init, it says so."""
    done = run_c(CLIENT, library, prototypes=PROTOTYPES)
    expected = [
        "version 2",
        "before hsa_init 0x100b",
        "0 1",
        "0 0 2 of 8 xcc data",
        "1 1 3 of 16 instance data",
    ]
    assert (expected, "") == (done.stdout.splitlines(), done.stderr)


def test_the_profiler_exports_its_functions_and_no_others(library: Path) -> None:
    with library.with_name("libhsa-amd-aqlprofile64.so.1").open("rb") as file:
        symbols: Any = ELFFile(file).get_section_by_name(".dynsym")
        found = {
            symbol.name
            for symbol in symbols.iter_symbols()
            if symbol.entry.st_shndx != "SHN_UNDEF" and symbol.entry.st_info.type == "STT_FUNC"
        }
    functions = hsa_spec.load().functions.values()
    assert {f.name for f in functions if f.export == "library"} == found


def test_a_library_without_the_profilers_functions_has_none_beside_it(toy_library: Path) -> None:
    assert not list(toy_library.parent.glob("libhsa-amd-aqlprofile64*"))
