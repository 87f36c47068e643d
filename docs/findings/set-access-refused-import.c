/* When mapped memory cannot be imported for an agent, access is refused, and the process goes on. */
#include "vmem.h"
#include "refusal.h"

static int defect(void)
{
    hsa_amd_memory_access_desc_t access = {HSA_ACCESS_PERMISSION_RW, {0}};
    size_t granule;
    void *va;

    initialise();
    need_virtual_memory();
    access.agent_handle = agent_of(HSA_DEVICE_TYPE_GPU);
    granule = granule_of(gpu_pool());
    va = mapped(gpu_pool(), granule);
    refuse((struct refusal){.call = AMDGPU_BO_IMPORT, .error = ENOMEM});
    STATUS_OF(hsa_amd_vmem_set_access(va, granule, &access, 1));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = survive(defect);
    refused();
    return found;
}
