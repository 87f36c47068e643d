/* The largest allocation of a region must not exceed the region. */
#include "finding.h"

enum { HSA_REGION_INFO_SIZE = 2, HSA_REGION_INFO_ALLOC_MAX_SIZE = 4 };

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_region_get_info, (hsa_region_t region, int attribute, void *value),
         (region, attribute, value))

static bool wrong;

static int check_region(hsa_region_t region, void *data)
{
    size_t size, largest;

    (void)data;
    if (hsa_region_get_info(region, HSA_REGION_INFO_SIZE, &size) ||
        hsa_region_get_info(region, HSA_REGION_INFO_ALLOC_MAX_SIZE, &largest))
        cannot_tell("a region without sizes");
    printf("size %zu, largest allocation %zu\n", size, largest);
    wrong |= largest > size;
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
