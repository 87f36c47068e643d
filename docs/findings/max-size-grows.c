/* The largest allocation of a region is the same after the runtime was started again. */
#include "finding.h"

enum { HSA_REGION_INFO_ALLOC_MAX_SIZE = 4 };

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_region_get_info, (hsa_region_t region, int attribute, void *value),
         (region, attribute, value))

FUNCTION(int, hsa_shut_down, (void), ())

static int add_region(hsa_region_t region, void *sum)
{
    size_t largest;

    if (hsa_region_get_info(region, HSA_REGION_INFO_ALLOC_MAX_SIZE, &largest))
        cannot_tell("a region without a largest size");
    *(size_t *)sum += largest;
    return HSA_STATUS_SUCCESS;
}

static int add_agent(hsa_agent_t agent, void *sum)
{
    return hsa_agent_iterate_regions(agent, add_region, sum);
}

static size_t sizes(void)
{
    size_t sum = 0;

    hsa_iterate_agents(add_agent, &sum);
    return sum;
}

int main(int count, char **words)
{
    size_t before, after;

    start(count, words);
    before = sizes();
    if (hsa_shut_down() || hsa_init())
        cannot_tell("the runtime does not start again");
    after = sizes();
    printf("sum of the largest allocations %zu, after a restart %zu\n", before, after);
    return before != after;
}
