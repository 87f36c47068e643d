/* A copy that waits for no signals has to ignore where they would be. */
#include "finding.h"

FUNCTION(int, hsa_amd_memory_async_copy,
         (void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent, size_t size,
          uint32_t count, const hsa_signal_t *dependencies, hsa_signal_t done),
         (to, to_agent, from, from_agent, size, count, dependencies, done))

int main(int count, char **words)
{
    hsa_signal_t none[1] = {{0}}, done;
    hsa_agent_t cpu;
    void *from, *to;

    start(count, words);
    cpu = agent_of(HSA_DEVICE_TYPE_CPU);
    from = block_of(HSA_DEVICE_TYPE_CPU, 4096);
    to = block_of(HSA_DEVICE_TYPE_CPU, 4096);
    done = signal_of(1);
    if (STATUS_OF(hsa_amd_memory_async_copy(to, cpu, from, cpu, 4096, 0, NULL, done)))
        cannot_tell("a copy without the array fails as well");
    return STATUS_OF(hsa_amd_memory_async_copy(to, cpu, from, cpu, 4096, 0, none, done)) != 0;
}
