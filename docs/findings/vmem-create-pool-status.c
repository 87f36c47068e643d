/* A pool that nothing can be allocated in has a status of its own. */
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory;
    hsa_amd_memory_pool_t pool;

    start(count, words);
    need_virtual_memory();
    pool = pool_of(agent_of(HSA_DEVICE_TYPE_GPU), false);
    return STATUS_OF(hsa_amd_vmem_handle_create(pool, 4096, 0, 0, &memory)) !=
           HSA_STATUS_ERROR_INVALID_ALLOCATION;
}
