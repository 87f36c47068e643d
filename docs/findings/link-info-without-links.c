/* Where an agent reaches a pool over no link, no link may be written. */
#include "finding.h"

enum {
    HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS = 1, HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO = 2,
    FILL = 0xa5,
};

FUNCTION(int, hsa_amd_agent_memory_pool_get_info,
         (hsa_agent_t agent, hsa_amd_memory_pool_t pool, int attribute, void *value),
         (agent, pool, attribute, value))

static int asked, defects;

static int check_pool(hsa_amd_memory_pool_t pool, void *data)
{
    hsa_agent_t agent = *(hsa_agent_t *)data;
    unsigned char value[256];
    size_t written = sizeof value;
    uint32_t hops;

    memset(value, FILL, sizeof value);
    if (hsa_amd_agent_memory_pool_get_info(agent, pool,
                                           HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &hops) ||
        hops ||
        hsa_amd_agent_memory_pool_get_info(agent, pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO,
                                           value))
        return HSA_STATUS_SUCCESS;
    asked++;
    while (written && value[written - 1] == FILL)
        written--;
    if (written) {
        printf("no links, and %zu bytes were written\n", written);
        defects++;
    }
    return HSA_STATUS_SUCCESS;
}

static int check_agent(hsa_agent_t agent, void *data)
{
    (void)data;
    hsa_amd_agent_iterate_memory_pools(agent, check_pool, &agent);
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    start(count, words);
    hsa_iterate_agents(check_agent, NULL);
    if (!asked)
        cannot_tell("no pool is reached without links");
    return defects > 0;
}
