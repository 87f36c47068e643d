"""Programs that know nothing of Python run on the real reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROTOTYPES = """
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint32_t hsa_status_t;
typedef struct { uint64_t handle; } hsa_agent_t, hsa_amd_memory_pool_t, hsa_amd_vmem_alloc_handle_t;
typedef struct { uint32_t permissions; hsa_agent_t agent_handle; } hsa_amd_memory_access_desc_t;
hsa_status_t hsa_init(void);
hsa_status_t hsa_shut_down(void);
hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string);
hsa_status_t hsa_system_get_info(uint32_t attribute, void *value);
hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void *), void *data);
hsa_status_t hsa_agent_get_info(hsa_agent_t agent, uint32_t attribute, void *value);
hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void *), void *data);
hsa_status_t hsa_amd_memory_pool_get_info(
    hsa_amd_memory_pool_t pool, uint32_t attribute, void *value);
hsa_status_t hsa_amd_vmem_address_reserve(
    void **va, size_t size, uint64_t address, uint64_t flags);
hsa_status_t hsa_amd_vmem_address_free(void *va, size_t size);
hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t pool, size_t size, uint32_t type,
                                        uint64_t flags, hsa_amd_vmem_alloc_handle_t *handle);
hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle);
hsa_status_t hsa_amd_vmem_map(void *va, size_t size, size_t in_offset,
                              hsa_amd_vmem_alloc_handle_t handle, uint64_t flags);
hsa_status_t hsa_amd_vmem_unmap(void *va, size_t size);
hsa_status_t hsa_amd_vmem_set_access(
    void *va, size_t size, const hsa_amd_memory_access_desc_t *desc, size_t desc_cnt);
"""

CLIENT = """
#define DO(call) check(#call, call)

static void check(const char *call, hsa_status_t status)
{
    if (status)
        printf("%s: %#x\\n", call, status);
}

enum { FOUND = 1, AGENT_INFO_DEVICE = 17, POOL_ALLOC_ALLOWED = 5, POOL_GRANULE = 6 };

static hsa_status_t is_cpu(hsa_agent_t agent, void *found)
{
    uint32_t device = 99;
    DO(hsa_agent_get_info(agent, AGENT_INFO_DEVICE, &device));
    if (device)
        return 0;
    *(hsa_agent_t *)found = agent;
    return FOUND;
}

static hsa_status_t is_usable(hsa_amd_memory_pool_t pool, void *found)
{
    bool usable = false;
    DO(hsa_amd_memory_pool_get_info(pool, POOL_ALLOC_ALLOWED, &usable));
    if (!usable)
        return 0;
    *(hsa_amd_memory_pool_t *)found = pool;
    return FOUND;
}

int main(void)
{
    const char *words = NULL;
    uint16_t major = 0;
    size_t size = 0;
    hsa_agent_t cpu;
    hsa_amd_memory_pool_t pool;
    hsa_amd_vmem_alloc_handle_t handle;
    void *first, *second;

    printf("before hsa_init %#x\\n", hsa_shut_down());
    DO(hsa_init());
    DO(hsa_status_string(0x1001, &words));
    printf("0x1001 is %s\\n", words && *words ? "described" : "not described");
    DO(hsa_system_get_info(0, &major));
    printf("version %u\\n", major);
    printf("cpu %u\\n", hsa_iterate_agents(is_cpu, &cpu));
    printf("pool %u\\n", hsa_amd_agent_iterate_memory_pools(cpu, is_usable, &pool));
    DO(hsa_amd_memory_pool_get_info(pool, POOL_GRANULE, &size));

    DO(hsa_amd_vmem_handle_create(pool, size, 0, 0, &handle));
    DO(hsa_amd_vmem_address_reserve(&first, size, 0, 0));
    DO(hsa_amd_vmem_address_reserve(&second, size, 0, 0));
    DO(hsa_amd_vmem_map(first, size, 0, handle, 0));
    DO(hsa_amd_vmem_map(second, size, 0, handle, 0));
    hsa_amd_memory_access_desc_t access = {3, cpu};
    DO(hsa_amd_vmem_set_access(first, size, &access, 1));
    DO(hsa_amd_vmem_set_access(second, size, &access, 1));
    strcpy(first, "same memory");
    printf("%s\\n", (char *)second);
    DO(hsa_amd_vmem_unmap(first, size));
    DO(hsa_amd_vmem_unmap(second, size));
    DO(hsa_amd_vmem_address_free(first, size));
    DO(hsa_amd_vmem_address_free(second, size));
    DO(hsa_amd_vmem_handle_release(handle));
    printf("reserve nothing %#x\\n", hsa_amd_vmem_address_reserve(&first, 0, 0, 0));
    DO(hsa_shut_down());
}
"""


@pytest.mark.parametrize("machine", ["cpu", "two_gpus"])
def test_c_program_maps_memory_twice_and_sees_the_same_bytes(
    run_c: Callable[..., Any], library: Path, machine: str
) -> None:
    done = run_c(CLIENT, library, PROTOTYPES, HSA_REFERENCE_MACHINE=machine)

    assert "" == done.stderr
    assert [
        "before hsa_init 0x100b",
        "0x1001 is described",
        "version 1",
        "cpu 1",
        "pool 1",
        "same memory",
        "reserve nothing 0x1001",
    ] == done.stdout.splitlines()


def test_program_in_the_same_python_uses_the_library_through_ctypes(
    run_python: Callable[..., Any], library: Path
) -> None:
    done = run_python(
        """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
words, major = ctypes.c_char_p(), ctypes.c_uint16()
print(hex(library.hsa_system_get_info(0, ctypes.byref(major))))
print(library.hsa_init())
print(library.hsa_system_get_info(0, ctypes.byref(major)), major.value)
print(library.hsa_status_string(0, ctypes.byref(words)), bool(words.value))
print(library.hsa_shut_down())
""",
        library,
    )

    assert ("0x100b\n0\n0 1\n0 True\n0\n", "") == (done.stdout, done.stderr)


TABLE = """
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
uint32_t hsa_init(void);
uint32_t hsa_system_get_major_extension_table(uint16_t number, uint16_t major, size_t length,
                                              void *table);
static uint32_t visit(uint64_t executable, void *data) { (void)executable; (void)data; return 0; }
int main(void)
{
    /* The seventh member of the loader's table visits executables. */
    void *table[7] = {0};
    printf("%#x ", hsa_init());
    printf("%#x ", hsa_system_get_major_extension_table(0x201, 1, sizeof table, table));
    uint32_t (*iterate)(uint32_t (*)(uint64_t, void *), void *) = table[6];
    printf("%#x %#x\\n", iterate(visit, NULL), iterate(NULL, NULL));
}
"""


def test_c_program_calls_a_function_that_only_a_table_leads_to(
    run_c: Callable[..., Any], library: Path
) -> None:
    done = run_c(TABLE, library, "")

    assert ("0 0 0 0x1001\n", "") == (done.stdout, done.stderr)


BY_VALUE = """
#include <stdint.h>
#include <stdio.h>
typedef struct { uint8_t handle[16]; } fabric_handle;
typedef struct { union { void *handle; int fd; uint8_t pad[8]; }; } file_handle;
uint32_t hsa_init(void);
uint32_t hsa_iterate_agents(uint32_t (*callback)(uint64_t, void *), void *data);
uint32_t hsa_amd_agent_iterate_memory_pools(uint64_t agent,
                                            uint32_t (*callback)(uint64_t, void *), void *data);
uint32_t hsa_amd_memory_pool_allocate(uint64_t pool, size_t size, uint32_t flags, void **ptr);
uint32_t hsa_amd_vmem_handle_create(uint64_t pool, size_t size, int type, uint64_t flags,
                                    uint64_t *handle);
uint32_t hsa_amd_vmem_export_fabric_handle(fabric_handle *name, uint64_t handle, uint64_t flags);
uint32_t hsa_amd_vmem_import_fabric_handle(fabric_handle name, uint64_t *handle);
uint32_t hsa_amd_ais_file_write(file_handle file, void *ptr, uint64_t size, int64_t offset,
                                uint64_t *copied, int32_t *status);
static uint32_t keep(uint64_t handle, void *data) { *(uint64_t *)data = handle; return 0; }
int main(void)
{
    uint64_t agent, pool, handle, again, copied = 0;
    int32_t status = 1;
    fabric_handle name, none = {{0}};
    void *block;
    file_handle file = {.fd = fileno(tmpfile())};
    hsa_init();
    hsa_iterate_agents(keep, &agent);
    hsa_amd_agent_iterate_memory_pools(agent, keep, &pool);
    hsa_amd_memory_pool_allocate(pool, 4096, 0, &block);
    hsa_amd_vmem_handle_create(pool, 4096, 0, 0, &handle);
    hsa_amd_vmem_export_fabric_handle(&name, handle, 0);
    printf("%#x ", hsa_amd_vmem_import_fabric_handle(name, &again));
    printf("%d %#x ", again == handle, hsa_amd_vmem_import_fabric_handle(none, &again));
    printf("%#x ", hsa_amd_ais_file_write(file, block, 100, 8, &copied, &status));
    printf("%d %d\\n", (int)copied, status);
}
"""


def test_structures_are_passed_by_value(run_c: Callable[..., Any], library: Path) -> None:
    done = run_c(BY_VALUE, library, "", HSA_REFERENCE_MACHINE="cpu")

    assert ("0 1 0x1003 0 100 0\n", "") == (done.stdout, done.stderr)
