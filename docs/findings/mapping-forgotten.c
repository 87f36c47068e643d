/* A block that was mapped for a GPU while there was no memory can be given back. */
#include "heap_refusals.h"

enum { SIZE = 4096 };

FUNCTION(int, hsa_amd_agents_allow_access,
         (uint32_t count, const hsa_agent_t *agents, const uint32_t *flags, const void *block),
         (count, agents, flags, block))
FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))

static int defect(void)
{
    hsa_agent_t gpu;
    void *block;
    int status;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    block = block_of(HSA_DEVICE_TYPE_CPU, SIZE);
    refuse_memory();
    status = STATUS_OF(hsa_amd_agents_allow_access(1, &gpu, NULL, block));
    if (!memory_refused())
        return NO_MORE;
    if (!status)
        STATUS_OF(hsa_amd_memory_pool_free(block));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
