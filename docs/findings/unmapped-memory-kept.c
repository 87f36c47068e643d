/* Memory that is unmapped and released is there for others again, while the range in which it was
 * mapped stays reserved. */
#include "vmem.h"

enum { BYTES = 4 << 20, ROUNDS = 8, HSA_AMD_AGENT_INFO_MEMORY_AVAIL = 0xA015 };

FUNCTION(int, hsa_amd_vmem_handle_release, (hsa_amd_vmem_alloc_handle_t memory), (memory))

static uint64_t available(void)
{
    uint64_t bytes;

    if (hsa_agent_get_info(agent_of(HSA_DEVICE_TYPE_GPU), HSA_AMD_AGENT_INFO_MEMORY_AVAIL, &bytes))
        cannot_tell("the agent does not say how much memory is available");
    return bytes;
}

static void map_and_release(void *va)
{
    hsa_amd_vmem_alloc_handle_t memory = created(gpu_pool(), BYTES);

    if (hsa_amd_vmem_map(va, BYTES, 0, memory, 0) || hsa_amd_vmem_unmap(va, BYTES) ||
        hsa_amd_vmem_handle_release(memory))
        cannot_tell("the memory is not mapped, unmapped and released");
}

int main(int count, char **words)
{
    void *ranges[ROUNDS];

    load(count, words);
    need("hsa_amd_vmem_map");
    initialise();
    need_virtual_memory();
    for (int i = 0; i < ROUNDS; i++)
        ranges[i] = reserved(BYTES);
    map_and_release(reserved(BYTES)); /* the first use may take something for good */

    uint64_t before = available();
    for (int i = 0; i < ROUNDS; i++)
        map_and_release(ranges[i]);
    uint64_t after = available();

    printf("%llu bytes were available, %llu are after %d rounds of %d bytes\n",
           (unsigned long long)before, (unsigned long long)after, ROUNDS, BYTES);
    return after + (uint64_t)ROUNDS * BYTES <= before ? DEFECT : NO_DEFECT;
}
