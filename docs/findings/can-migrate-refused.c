/* Whether blocks can migrate between two pools can be asked, and the answer may be no. */
#include "finding.h"

FUNCTION(int, hsa_amd_memory_pool_can_migrate,
         (hsa_amd_memory_pool_t from, hsa_amd_memory_pool_t to, bool *result), (from, to, result))

int main(int count, char **words)
{
    hsa_amd_memory_pool_t host, gpu;
    bool result = false;

    start(count, words);
    host = pool_of(agent_of(HSA_DEVICE_TYPE_CPU), true);
    gpu = pool_of(agent_of(HSA_DEVICE_TYPE_GPU), true);
    return STATUS_OF(hsa_amd_memory_pool_can_migrate(host, gpu, &result)) != HSA_STATUS_SUCCESS;
}
