/* What these programs share: calls that have to succeed, and the first object of a kind.
 *
 * cc -std=c99 -o PROGRAM PROGRAM.c -pthread -lhsa-runtime64
 */
#ifndef CLIENT_H
#define CLIENT_H

#define _DEFAULT_SOURCE

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

/* Make a call that has to succeed; otherwise say which one did not, and end the program. */
#define DO(call) must_succeed(#call, (call))

static inline void must_succeed(const char *call, hsa_status_t status)
{
    if (status == HSA_STATUS_SUCCESS)
        return;
    printf("%s: status %#x\n", call, (unsigned)status);
    exit(EXIT_FAILURE);
}

static inline void fail(const char *why)
{
    printf("%s\n", why);
    exit(EXIT_FAILURE);
}

/* Agents */

struct agent_search {
    hsa_device_type_t type;
    hsa_agent_t found;
};

static inline hsa_status_t look_at_agent(hsa_agent_t agent, void *data)
{
    struct agent_search *search = data;
    hsa_device_type_t type;

    DO(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    if (type != search->type)
        return HSA_STATUS_SUCCESS;
    search->found = agent;
    return HSA_STATUS_INFO_BREAK; /* ends the iteration */
}

/* Return the first agent of a type of device. */
static inline hsa_agent_t first_agent(hsa_device_type_t type)
{
    struct agent_search search = {type, {0}};

    hsa_iterate_agents(look_at_agent, &search);
    if (search.found.handle == 0)
        fail("there is no such agent");
    return search.found;
}

/* Memory */

struct pool_search {
    uint32_t flags;
    hsa_amd_memory_pool_t found;
};

static inline hsa_status_t look_at_pool(hsa_amd_memory_pool_t pool, void *data)
{
    struct pool_search *search = data;
    hsa_amd_segment_t segment;
    uint32_t flags;

    DO(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment != HSA_AMD_SEGMENT_GLOBAL)
        return HSA_STATUS_SUCCESS;
    DO(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    if ((flags & search->flags) != search->flags)
        return HSA_STATUS_SUCCESS;
    search->found = pool;
    return HSA_STATUS_INFO_BREAK;
}

/* Return an agent's first pool of global memory that has all these flags. */
static inline hsa_amd_memory_pool_t first_pool(hsa_agent_t agent, uint32_t flags)
{
    struct pool_search search = {flags, {0}};

    hsa_amd_agent_iterate_memory_pools(agent, look_at_pool, &search);
    if (search.found.handle == 0)
        fail("there is no such pool");
    return search.found;
}

/* Signals */

/* Return a new signal, which any agent may wait for. */
static inline hsa_signal_t new_signal(hsa_signal_value_t value)
{
    hsa_signal_t signal;

    DO(hsa_signal_create(value, 0, NULL, &signal));
    return signal;
}

/* Wait until a signal has a value, however long it takes. */
static inline void wait_for(hsa_signal_t signal, hsa_signal_value_t value)
{
    while (hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, value, UINT64_MAX,
                                     HSA_WAIT_STATE_BLOCKED) != value)
        continue;
}

#endif
