/* The name of a cache is written as characters, not as their address. */
#include "finding.h"

enum { HSA_CACHE_INFO_NAME_LENGTH = 0, HSA_CACHE_INFO_NAME = 1 };

FUNCTION(int, hsa_agent_iterate_caches, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_cache_get_info, (hsa_cache_t cache, int attribute, void *value),
         (cache, attribute, value))

static int defects, seen;

static int check_cache(hsa_cache_t cache, void *data)
{
    char name[1024] = "";
    const char *address;
    uint32_t length;

    (void)data;
    if (hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME_LENGTH, &length) ||
        hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME, name))
        return HSA_STATUS_SUCCESS;
    seen++;
    if (length != strlen(name)) {
        memcpy(&address, name, sizeof address);
        printf("length %u, and %zu characters; read as an address: %p\n", length, strlen(name),
               (const void *)address);
        defects++;
    }
    return HSA_STATUS_SUCCESS;
}

static int check_agent(hsa_agent_t agent, void *data)
{
    hsa_agent_iterate_caches(agent, check_cache, data);
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    start(count, words);
    hsa_iterate_agents(check_agent, NULL);
    if (!seen)
        cannot_tell("no agent has a cache");
    return defects > 0;
}
