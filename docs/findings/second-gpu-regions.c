/* What a GPU has as a memory pool it has as a region, whichever GPU it is. */
#include "finding.h"

enum { HSA_REGION_INFO_SIZE = 2 };

struct search {
    size_t wanted;
    bool found;
};

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_region_get_info, (hsa_region_t region, int attribute, void *value),
         (region, attribute, value))

static int compare(hsa_region_t region, void *data)
{
    struct search *search = data;
    size_t size;

    if (hsa_region_get_info(region, HSA_REGION_INFO_SIZE, &size))
        cannot_tell("a region has no size");
    search->found = search->found || size == search->wanted;
    return HSA_STATUS_SUCCESS;
}

static int look(hsa_agent_t agent, void *lacking)
{
    struct search search = {0};
    uint32_t type;

    if (hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) || type != HSA_DEVICE_TYPE_GPU)
        return HSA_STATUS_SUCCESS;
    if (hsa_amd_memory_pool_get_info(pool_of(agent, true), HSA_AMD_MEMORY_POOL_INFO_SIZE,
                                     &search.wanted))
        cannot_tell("a pool has no size");
    hsa_agent_iterate_regions(agent, compare, &search);
    printf("a pool of %zu bytes: %s region\n", search.wanted, search.found ? "a" : "no");
    if (!search.found)
        *(bool *)lacking = true;
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    bool lacking = false;

    start(count, words);
    hsa_iterate_agents(look, &lacking);
    return lacking;
}
