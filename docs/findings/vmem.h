/* Virtual memory that is mapped, for the programs about hsa_amd_vmem_*. */
#ifndef VMEM_H
#define VMEM_H

#include "finding.h"

enum { HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED = 0x205, HSA_ACCESS_PERMISSION_RW = 3 };

typedef struct {
    int permissions;
    hsa_agent_t agent_handle;
} hsa_amd_memory_access_desc_t;

FUNCTION(int, hsa_amd_vmem_address_reserve,
         (void **va, size_t size, uint64_t address, uint64_t flags), (va, size, address, flags))
FUNCTION(int, hsa_amd_vmem_address_reserve_align,
         (void **va, size_t size, uint64_t address, uint64_t alignment, uint64_t flags),
         (va, size, address, alignment, flags))
FUNCTION(int, hsa_amd_vmem_handle_create,
         (hsa_amd_memory_pool_t pool, size_t size, int type, uint64_t flags,
          hsa_amd_vmem_alloc_handle_t *memory),
         (pool, size, type, flags, memory))
FUNCTION(int, hsa_amd_vmem_map,
         (void *va, size_t size, size_t offset, hsa_amd_vmem_alloc_handle_t memory, uint64_t flags),
         (va, size, offset, memory, flags))
FUNCTION(int, hsa_amd_vmem_unmap, (void *va, size_t size), (va, size))
FUNCTION(int, hsa_amd_vmem_set_access,
         (void *va, size_t size, const hsa_amd_memory_access_desc_t *access, size_t count),
         (va, size, access, count))
FUNCTION(int, hsa_amd_vmem_get_access, (void *va, int *permissions, hsa_agent_t agent),
         (va, permissions, agent))

static inline void need_virtual_memory(void)
{
    bool supported = false;

    if (hsa_system_get_info(HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, &supported) ||
        !supported)
        cannot_tell("no virtual memory");
}

/* The first pool of the first GPU. */
static inline hsa_amd_memory_pool_t gpu_pool(void)
{
    return pool_of(agent_of(HSA_DEVICE_TYPE_GPU), true);
}

static inline size_t granule_of(hsa_amd_memory_pool_t pool)
{
    size_t granule;

    if (hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule))
        cannot_tell("the granule is unknown");
    return granule;
}

static inline void *reserved(size_t size)
{
    void *va;

    if (hsa_amd_vmem_address_reserve(&va, size, 0, 0))
        cannot_tell("no addresses");
    return va;
}

static inline hsa_amd_vmem_alloc_handle_t created(hsa_amd_memory_pool_t pool, size_t size)
{
    hsa_amd_vmem_alloc_handle_t memory;

    if (hsa_amd_vmem_handle_create(pool, size, 0, 0, &memory))
        cannot_tell("no memory");
    return memory;
}

/* Reserve addresses, and map memory of the pool there. */
static inline void *mapped(hsa_amd_memory_pool_t pool, size_t size)
{
    void *va = reserved(size);

    if (hsa_amd_vmem_map(va, size, 0, created(pool, size), 0))
        cannot_tell("no mapping");
    return va;
}

static inline void allow(hsa_agent_t agent, void *va, size_t size)
{
    hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW, agent};

    if (hsa_amd_vmem_set_access(va, size, &access, 1))
        cannot_tell("no access");
}

#endif
