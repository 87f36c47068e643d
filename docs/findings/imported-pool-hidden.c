/* The pool of imported memory has to be one of those that the runtime shows. */
#include "vmem.h"

FUNCTION(int, hsa_amd_vmem_export_shareable_handle,
         (int *descriptor, hsa_amd_vmem_alloc_handle_t memory, uint64_t flags),
         (descriptor, memory, flags))
FUNCTION(int, hsa_amd_vmem_import_shareable_handle,
         (int descriptor, hsa_amd_vmem_alloc_handle_t *memory), (descriptor, memory))
FUNCTION(int, hsa_amd_vmem_get_alloc_properties_from_handle,
         (hsa_amd_vmem_alloc_handle_t memory, hsa_amd_memory_pool_t *pool, int *type),
         (memory, pool, type))

static hsa_amd_memory_pool_t wanted;
static bool found;

static int compare_pool(hsa_amd_memory_pool_t pool, void *data)
{
    (void)data;
    found |= pool.handle == wanted.handle;
    return HSA_STATUS_SUCCESS;
}

static int search_agent(hsa_agent_t agent, void *data)
{
    hsa_amd_agent_iterate_memory_pools(agent, compare_pool, data);
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory, imported;
    int file, type;

    start(count, words);
    need_virtual_memory();
    memory = created(gpu_pool(), granule_of(gpu_pool()));
    if (hsa_amd_vmem_export_shareable_handle(&file, memory, 0) ||
        hsa_amd_vmem_import_shareable_handle(file, &imported) ||
        hsa_amd_vmem_get_alloc_properties_from_handle(imported, &wanted, &type))
        cannot_tell("no imported memory");
    hsa_iterate_agents(search_agent, NULL);
    printf("the pool is %s\n", found ? "shown" : "shown by no agent");
    return !found;
}
