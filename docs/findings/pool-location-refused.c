/* Every pool has a location, also one in which nothing can be allocated. */
#include "finding.h"

enum { HSA_AMD_MEMORY_POOL_INFO_LOCATION = 17 };

int main(int count, char **words)
{
    hsa_agent_t gpu;
    int location;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (hsa_amd_memory_pool_get_info(pool_of(gpu, true), HSA_AMD_MEMORY_POOL_INFO_LOCATION,
                                     &location))
        cannot_tell("pools have no location");
    return STATUS_OF(hsa_amd_memory_pool_get_info(
               pool_of(gpu, false), HSA_AMD_MEMORY_POOL_INFO_LOCATION, &location)) !=
           HSA_STATUS_SUCCESS;
}
