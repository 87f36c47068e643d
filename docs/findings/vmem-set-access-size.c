/* Access can only be set for the size of what is mapped. */
#include "vmem.h"

static int refused(int status)
{
    return status == HSA_STATUS_ERROR_INVALID_ARGUMENT || status == HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

static void map(void *va, size_t size)
{
    if (hsa_amd_vmem_map(va, size, 0, created(gpu_pool(), size), 0))
        cannot_tell("no mapping");
}

int main(int count, char **words)
{
    hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW, {0}};
    size_t granule;
    char *va;
    int nothing, half, more, both;

    start(count, words);
    need_virtual_memory();
    access.agent_handle = agent_of(HSA_DEVICE_TYPE_GPU);
    granule = granule_of(gpu_pool());
    va = reserved(4 * granule);
    map(va, 2 * granule);
    map(va + 2 * granule, 2 * granule);
    nothing = STATUS_OF(hsa_amd_vmem_set_access(va, 0, &access, 1));
    half = STATUS_OF(hsa_amd_vmem_set_access(va, granule, &access, 1));
    more = STATUS_OF(hsa_amd_vmem_set_access(va, 3 * granule, &access, 1));
    both = STATUS_OF(hsa_amd_vmem_set_access(va, 4 * granule, &access, 1));
    return nothing != HSA_STATUS_ERROR_INVALID_ARGUMENT || !refused(half) || !refused(more) ||
           both == HSA_STATUS_SUCCESS;
}
