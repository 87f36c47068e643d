/* A flag that is reserved has to be refused. */
#include "finding.h"

enum { RESERVED_FLAG = 1 };

FUNCTION(int, hsa_amd_memory_lock_to_pool,
         (void *memory, size_t size, hsa_agent_t *agents, int count, hsa_amd_memory_pool_t pool,
          uint32_t flags, void **address),
         (memory, size, agents, count, pool, flags, address))

int main(int count, char **words)
{
    static char memory[8192];
    hsa_amd_memory_pool_t pool;
    hsa_agent_t gpu;
    void *address;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    pool = pool_of(agent_of(HSA_DEVICE_TYPE_CPU), true);
    return STATUS_OF(hsa_amd_memory_lock_to_pool(memory, sizeof memory, &gpu, 1, pool,
                                                 RESERVED_FLAG, &address)) == HSA_STATUS_SUCCESS;
}
