/* A block that is attached for all agents is one that the host can read, if it reaches the pool. */
#include "ipc.h"

enum { HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS = 0, HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED = 0 };

FUNCTION(int, hsa_amd_agent_memory_pool_get_info,
         (hsa_agent_t agent, hsa_amd_memory_pool_t pool, int attribute, void *value),
         (agent, pool, attribute, value))

static int attach_and_read(void)
{
    hsa_amd_ipc_memory_t shared = memory_of_another_process();
    uint32_t access;
    void *mapped;

    initialise();
    if (hsa_amd_agent_memory_pool_get_info(agent_of(HSA_DEVICE_TYPE_CPU),
                                           pool_of(agent_of(HSA_DEVICE_TYPE_GPU), true),
                                           HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access) ||
        access == HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED)
        cannot_tell("the host does not reach the pool");
    if (hsa_amd_ipc_memory_attach(&shared, SHARED_BYTES, 0, NULL, &mapped))
        cannot_tell("the block is not attached");
    (void)*(volatile char *)mapped;
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    return survive(attach_and_read);
}
