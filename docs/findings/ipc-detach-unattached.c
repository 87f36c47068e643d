/* An address that was never attached has to be refused, be it locked or not. */
#include "finding.h"

FUNCTION(int, hsa_amd_ipc_memory_detach, (void *address), (address))
FUNCTION(int, hsa_amd_memory_lock,
         (void *memory, size_t size, hsa_agent_t *agents, int count, void **address),
         (memory, size, agents, count, address))

int main(int count, char **words)
{
    static _Alignas(4096) char memory[8192], locked[8192];
    hsa_agent_t gpu;
    void *address;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (hsa_amd_memory_lock(locked, sizeof locked, &gpu, 1, &address))
        cannot_tell("the memory is not locked");
    return STATUS_OF(hsa_amd_ipc_memory_detach(memory)) == HSA_STATUS_SUCCESS ||
           STATUS_OF(hsa_amd_ipc_memory_detach(locked)) == HSA_STATUS_SUCCESS;
}
