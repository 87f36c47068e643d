/* Memory pools, and what is known of a pointer. */
#include "fake.h"

#include <string.h>

FUNCTION(hsa_amd_agent_iterate_memory_pools,
         (hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void *), void *data),
         (agent, callback, data))
{
    int which = find_agent(agent);
    if (which < 0)
        return INVALID_AGENT;
    if (!callback)
        return INVALID_ARGUMENT;
    hsa_status_t status = SUCCESS;
    for (int i = 0; i < POOLS && status == SUCCESS; i++)
        if (pools[i].agent == which)
            status = callback(pool_handle(i), data);
    return status;
}

/* Whether the buffers of a pool are, may be or cannot be accessed by an agent: as the ABI counts. */
enum { NEVER, BY_DEFAULT, ON_REQUEST };

static uint32_t pool_access(int pool, int agent)
{
    if (pools[pool].agent == agent || pool == CPU_FINE)
        return BY_DEFAULT;
    return pools[pool].allocatable ? ON_REQUEST : NEVER;
}

FUNCTION(hsa_amd_memory_pool_get_info, (hsa_amd_memory_pool_t pool, int attribute, void *value),
         (pool, attribute, value))
{
    int which = find_pool(pool);
    if (which < 0)
        return INVALID_MEMORY_POOL;
    if (!value)
        return INVALID_ARGUMENT;
    switch (attribute) {
    case 0: return answer(value, 4, 1, pools[which].segment);
    case 1: return answer(value, 4, 1, pools[which].flags);
    case 2: return answer(value, 8, 1, pools[which].size);
    case 5: return answer(value, 1, 1, pools[which].allocatable);
    case 6:                                                      /* granule */
    case 7:                                                      /* alignment */
    case 18: return answer(value, 8, 1, pools[which].allocatable ? PAGE : 0);
    case 15: return answer(value, 1, 1, pools[which].allocatable); /* accessible by all */
    case 16: return answer(value, 8, 1, pools[which].allocatable ? pools[which].size : 0);
    case 17: return answer(value, 4, 1, pools[which].agent == GPU); /* location */
    default: return INVALID_ARGUMENT;
    }
}

FUNCTION(hsa_amd_agent_memory_pool_get_info,
         (hsa_agent_t agent, hsa_amd_memory_pool_t pool, int attribute, void *value),
         (agent, pool, attribute, value))
{
    struct {
        uint32_t latency[2], bandwidth[2];
        bool atomics[2], coherent;
        uint32_t type, distance;
    } link = {{100, 200}, {1000, 2000}, {true, true}, true, 2, 20};
    int accessor = find_agent(agent), accessed = find_pool(pool);
    if (accessor < 0)
        return INVALID_AGENT;
    if (accessed < 0)
        return INVALID_MEMORY_POOL;
    if (!value)
        return INVALID_ARGUMENT;
    uint32_t access = pool_access(accessed, accessor);
    bool hop = access != NEVER && pools[accessed].agent != accessor;
    switch (attribute) {
    case 0: return answer(value, 4, 1, access);
    case 1: return answer(value, 4, 1, hop);
    case 2:
        if (hop)
            memcpy(value, &link, sizeof link);
        return SUCCESS;
    default: return INVALID_ARGUMENT;
    }
}

FUNCTION(hsa_amd_memory_pool_allocate,
         (hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void **ptr),
         (pool, size, flags, ptr))
{
    int which = find_pool(pool);
    if (which < 0)
        return INVALID_MEMORY_POOL;
    if (!ptr || size == 0 || flags)
        return INVALID_ARGUMENT;
    if (!pools[which].allocatable || size > pools[which].size)
        return INVALID_ALLOCATION;
    size = (size + PAGE - 1) / PAGE * PAGE;
    if (size > pools[which].size - used[which])
        return OUT_OF_RESOURCES;
    void *start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return OUT_OF_RESOURCES;
    range *made = new_range(BUFFER, start, size, which);
    if (!made) {
        munmap(start, size);
        return OUT_OF_RESOURCES;
    }
    for (int i = 0; i < AGENTS; i++)
        made->access[i] = pool_access(which, i) == BY_DEFAULT ? READ_WRITE : NONE;
    if (!protect(made)) {
        munmap(start, size);
        drop_range(made);
        return OUT_OF_RESOURCES;
    }
    used[which] += size;
    *ptr = start;
    return SUCCESS;
}

FUNCTION(hsa_amd_memory_pool_free, (void *ptr), (ptr))
{
    range *found = find_range(BUFFER, ptr);
    if (!found || found->start != ptr)
        return INVALID_ARGUMENT;
    used[found->pool] -= found->size;
    munmap(found->start, found->size);
    drop_range(found);
    return SUCCESS;
}

FUNCTION(hsa_amd_agents_allow_access,
         (uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags, const void *ptr),
         (num_agents, agents, flags, ptr))
{
    if (num_agents == 0 || !agents || flags)
        return INVALID_ARGUMENT;
    range *found = find_range(BUFFER, ptr);
    if (!found || found->start != ptr)
        return INVALID_ARGUMENT;
    range changed = *found;
    for (int i = 0; i < AGENTS; i++)
        changed.access[i] = pools[found->pool].agent == i ? READ_WRITE : NONE;
    for (uint32_t i = 0; i < num_agents; i++) {
        int which = find_agent(agents[i]);
        if (which < 0)
            return INVALID_AGENT;
        changed.access[which] = READ_WRITE;
    }
    if (!protect(&changed))
        return ERROR;
    *found = changed;
    return SUCCESS;
}

static bool accesses(const range *it, int agent)
{
    return it->access[agent] != NONE && it->access[agent] != NEVER_SET;
}

FUNCTION(hsa_amd_pointer_info,
         (const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc)(size_t),
          uint32_t *num_agents_accessible, hsa_agent_t **accessible),
         (ptr, info, alloc, num_agents_accessible, accessible))
{
    static const uint32_t types[] = {[RESERVATION] = 5, [MAPPING] = 6, [BUFFER] = 1};
    static const enum kind innermost[] = {BUFFER, MAPPING, RESERVATION};
    if (!ptr || !info || info->size < offsetof(hsa_amd_pointer_info_t, agent_base))
        return INVALID_ARGUMENT;
    range *found = NULL;
    for (int i = 0; i < 3 && !found; i++)
        found = find_range(innermost[i], ptr);
    uint32_t count = 0;
    for (int i = 0; i < AGENTS; i++)
        count += found && accesses(found, i);
    if (alloc && num_agents_accessible && accessible) {
        hsa_agent_t *list = count ? alloc(count * sizeof *list) : NULL;
        if (count && !list)
            return OUT_OF_RESOURCES;
        *accessible = list;
        for (int i = 0; i < AGENTS; i++)
            if (found && accesses(found, i))
                *list++ = agent_handle(i);
    }
    if (num_agents_accessible)
        *num_agents_accessible = count;
    hsa_amd_pointer_info_t result = {.size = sizeof result};
    if (info->size < result.size)
        result.size = info->size;
    if (found) {
        result.type = types[found->kind];
        result.agent_base = result.host_base = found->start;
        result.bytes = found->size;
        result.registered = found->kind != RESERVATION;
        if (found->kind != RESERVATION) {
            result.owner = agent_handle(pools[found->pool].agent);
            result.global_flags = pools[found->pool].flags;
        }
    }
    memcpy(info, &result, result.size);
    return SUCCESS;
}
