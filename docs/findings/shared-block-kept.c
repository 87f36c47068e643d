/* A block of a GPU that was given to hsa_amd_ipc_memory_create is freed like any other: there is as
 * much memory as before. */
#include "ipc.h"

enum { BYTES = 4 << 20, ROUNDS = 8, HSA_AMD_AGENT_INFO_MEMORY_AVAIL = 0xA015 };

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))

static uint64_t available(void)
{
    uint64_t bytes;

    if (hsa_agent_get_info(agent_of(HSA_DEVICE_TYPE_GPU), HSA_AMD_AGENT_INFO_MEMORY_AVAIL, &bytes))
        cannot_tell("the agent does not say how much memory is available");
    return bytes;
}

static void share_and_free(void)
{
    hsa_amd_ipc_memory_t name;
    void *block = block_of(HSA_DEVICE_TYPE_GPU, BYTES);

    if (hsa_amd_ipc_memory_create(block, BYTES, &name) || hsa_amd_memory_pool_free(block))
        cannot_tell("the block is not shared, or not freed");
}

int main(int count, char **words)
{
    load(count, words);
    initialise();
    share_and_free(); /* the first use may take something for good */

    uint64_t before = available();
    for (int i = 0; i < ROUNDS; i++)
        share_and_free();
    uint64_t after = available();

    printf("%llu bytes were available, %llu are after %d rounds of %d bytes\n",
           (unsigned long long)before, (unsigned long long)after, ROUNDS, BYTES);
    return after + (uint64_t)ROUNDS * BYTES <= before ? DEFECT : NO_DEFECT;
}
