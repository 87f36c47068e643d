/* The first address behind a mapping is not mapped. */
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_memory_pool_t pool;
    size_t granule;
    char *va;
    int permissions;

    start(count, words);
    need_virtual_memory();
    pool = gpu_pool();
    granule = granule_of(pool);
    va = reserved(2 * granule);
    if (hsa_amd_vmem_map(va, granule, 0, created(pool, granule), 0))
        cannot_tell("no mapping");
    return STATUS_OF(hsa_amd_vmem_get_access(va + granule, &permissions,
                                             agent_of(HSA_DEVICE_TYPE_GPU))) == HSA_STATUS_SUCCESS;
}
