/* Who is left out of a second list loses access, however large the block is. */
#include "pointers.h"

enum {
    BYTES = 100,
    HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS = 0,
    HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT = 2,
};

FUNCTION(int, hsa_amd_agents_allow_access,
         (uint32_t count, const hsa_agent_t *agents, const uint32_t *flags, const void *block),
         (count, agents, flags, block))

FUNCTION(int, hsa_amd_agent_memory_pool_get_info,
         (hsa_agent_t agent, hsa_amd_memory_pool_t pool, int attribute, void *value),
         (agent, pool, attribute, value))

/* Whether the runtime says that an agent has access. */
static bool reaches(hsa_agent_t agent, const void *block)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    hsa_agent_t *agents = NULL;
    uint32_t count = 0;

    if (hsa_amd_pointer_info(block, &info, malloc, &count, &agents))
        cannot_tell("nothing is said of the block");
    while (count-- > 0)
        if (agents[count].handle == agent.handle)
            return true;
    return false;
}

/* Whether the second GPU keeps its access to memory of an agent when a list leaves it out. */
static bool keeps(uint32_t type, const hsa_agent_t *gpus)
{
    uint32_t access;
    void *block;

    if (hsa_amd_agent_memory_pool_get_info(gpus[1], pool_of(agent_of(type), true),
                                           HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access))
        cannot_tell("access to the pool is unknown");
    if (access != HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT)
        return false; /* what nobody has to give cannot be taken away */
    block = block_of(type, BYTES);
    if (STATUS_OF(hsa_amd_agents_allow_access(2, gpus, NULL, block)) ||
        !reaches(gpus[1], block) ||
        STATUS_OF(hsa_amd_agents_allow_access(1, gpus, NULL, block)))
        cannot_tell("access is not given");
    return reaches(gpus[1], block);
}

int main(int count, char **words)
{
    start(count, words);
    struct two_agents gpus = two_agents_of(HSA_DEVICE_TYPE_GPU);
    return keeps(HSA_DEVICE_TYPE_CPU, gpus.agents) || keeps(HSA_DEVICE_TYPE_GPU, gpus.agents);
}
