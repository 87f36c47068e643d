/* The first calls of a process, by functions that call back. */
#include "program.h"

static atomic_int different;

static hsa_status_t ignore_agent(hsa_agent_t agent, void *data)
{
    (void)agent, (void)data;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t ignore_pool(hsa_amd_memory_pool_t pool, void *data)
{
    (void)pool, (void)data;
    return HSA_STATUS_SUCCESS;
}

static void *iterate(void *what)
{
    static atomic_int arrived;
    __typeof__(&hsa_iterate_agents) agents = CALL(hsa_iterate_agents);
    __typeof__(&hsa_amd_agent_iterate_memory_pools) pools = CALL(hsa_amd_agent_iterate_memory_pools);
    bool of_agents = strcmp(what, "hsa_iterate_agents") == 0;
    arrived++;
    while (arrived < 2) /* a barrier of the C library would let go of one after the other */
        ;
    hsa_status_t status = of_agents ? agents(ignore_agent, NULL) : pools(gpu, ignore_pool, NULL);
    different += status != HSA_STATUS_SUCCESS;
    return NULL;
}

int iterates(char *what)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, iterate, what);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return different > 0;
}
