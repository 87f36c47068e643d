/* A block of another process has to be let to agents, or refused. */
#include "ipc.h"

FUNCTION(int, hsa_amd_agents_allow_access,
         (uint32_t count, const hsa_agent_t *agents, const uint32_t *flags, const void *block),
         (count, agents, flags, block))

static int allow(void)
{
    hsa_amd_ipc_memory_t shared = memory_of_another_process();
    hsa_agent_t gpu;
    void *mapped;
    int status;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (hsa_amd_ipc_memory_attach(&shared, SHARED_BYTES, 0, NULL, &mapped))
        cannot_tell("the block is not attached");
    status = STATUS_OF(hsa_amd_agents_allow_access(1, &gpu, NULL, mapped));
    return status == HSA_STATUS_SUCCESS || status == HSA_STATUS_ERROR_INVALID_ARGUMENT ? NO_DEFECT
                                                                                       : DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    return survive(allow);
}
