/* The largest private memory of a work-group has to be answered for a region. */
#include "finding.h"

enum { HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE = 8 };

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_region_get_info, (hsa_region_t region, int attribute, void *value),
         (region, attribute, value))

static bool wrong;

static int check_region(hsa_region_t region, void *data)
{
    uint32_t size;

    (void)data;
    wrong |= STATUS_OF(hsa_region_get_info(
                 region, HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE, &size)) !=
             HSA_STATUS_SUCCESS;
    return HSA_STATUS_SUCCESS;
}

static int check_agent(hsa_agent_t agent, void *data)
{
    return hsa_agent_iterate_regions(agent, check_region, data);
}

int main(int count, char **words)
{
    start(count, words);
    hsa_iterate_agents(check_agent, NULL);
    return wrong;
}
