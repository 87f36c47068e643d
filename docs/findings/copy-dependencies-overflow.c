/* A copy may wait for any number of signals. */
#include "finding.h"

enum { SIGNALS = 32, SIZE = 4096 };

FUNCTION(int, hsa_amd_agents_allow_access,
         (uint32_t count, const hsa_agent_t *agents, const uint32_t *flags, const void *block),
         (count, agents, flags, block))
FUNCTION(int, hsa_amd_memory_async_copy,
         (void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent, size_t size,
          uint32_t count, const hsa_signal_t *dependencies, hsa_signal_t done),
         (to, to_agent, from, from_agent, size, count, dependencies, done))

static int defect(void)
{
    hsa_signal_t signals[SIGNALS];
    hsa_agent_t host, gpu;
    void *from, *to;

    initialise();
    host = agent_of(HSA_DEVICE_TYPE_CPU);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    from = block_of(HSA_DEVICE_TYPE_CPU, SIZE);
    to = block_of(HSA_DEVICE_TYPE_GPU, SIZE);
    if (hsa_amd_agents_allow_access(1, &gpu, NULL, from))
        cannot_tell("the GPU gets no access to memory of the host");
    for (int i = 0; i < SIGNALS; i++)
        signals[i] = signal_of(0);
    STATUS_OF(hsa_amd_memory_async_copy(to, gpu, from, host, SIZE, SIGNALS, signals,
                                        signal_of(1)));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
