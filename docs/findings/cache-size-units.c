/* The size of a cache is in bytes, as its agent has it. */
#include "finding.h"

enum { HSA_AGENT_INFO_CACHE_SIZE = 18, HSA_CACHE_INFO_LEVEL = 2, HSA_CACHE_INFO_SIZE = 3 };

FUNCTION(int, hsa_agent_iterate_caches, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_cache_get_info, (hsa_cache_t cache, int attribute, void *value),
         (cache, attribute, value))

static int first(hsa_cache_t cache, void *data)
{
    *(hsa_cache_t *)data = cache;
    return HSA_STATUS_INFO_BREAK;
}

int main(int count, char **words)
{
    hsa_agent_t gpu;
    hsa_cache_t cache = {0};
    uint32_t of_agent[4] = {0}, of_cache = 0;
    uint8_t level = 0;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    hsa_agent_iterate_caches(gpu, first, &cache);
    if (!cache.handle || hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level) ||
        hsa_cache_get_info(cache, HSA_CACHE_INFO_SIZE, &of_cache) || level < 1 || level > 4)
        cannot_tell("the GPU has no cache with a level");
    if (hsa_agent_get_info(gpu, HSA_AGENT_INFO_CACHE_SIZE, of_agent) || !of_agent[level - 1] ||
        !of_cache)
        cannot_tell("the size is not known");
    printf("level %u: %u by the cache, %u by the agent\n", level, of_cache, of_agent[level - 1]);
    return of_cache != of_agent[level - 1];
}
