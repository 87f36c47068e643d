/* Access can only be set for the size of what is mapped. */
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW, {0}};
    size_t granule;
    void *va;
    int nothing, half;

    start(count, words);
    need_virtual_memory();
    access.agent_handle = agent_of(HSA_DEVICE_TYPE_GPU);
    granule = granule_of(gpu_pool());
    va = mapped(gpu_pool(), 2 * granule);
    nothing = STATUS_OF(hsa_amd_vmem_set_access(va, 0, &access, 1));
    half = STATUS_OF(hsa_amd_vmem_set_access(va, granule, &access, 1));
    return nothing != HSA_STATUS_ERROR_INVALID_ARGUMENT ||
           half != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
