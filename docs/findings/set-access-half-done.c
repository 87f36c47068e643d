/* Where access of two agents cannot be set, the first one has what it had before. */
#include "heap_refusals.h"
#include "vmem.h"

enum { HSA_ACCESS_PERMISSION_NONE = 0 };

static int defect(void)
{
    hsa_amd_memory_access_desc_t access[2] = {{HSA_ACCESS_PERMISSION_NONE, {0}},
                                              {HSA_ACCESS_PERMISSION_RW, {0}}};
    size_t granule;
    int status, permissions = -1;
    void *va;

    initialise();
    need_virtual_memory();
    access[0].agent_handle = agent_of(HSA_DEVICE_TYPE_CPU);
    access[1].agent_handle = agent_of(HSA_DEVICE_TYPE_GPU);
    granule = granule_of(gpu_pool());
    va = mapped(gpu_pool(), granule);
    allow(access[0].agent_handle, va, granule);
    refuse_memory();
    status = STATUS_OF(hsa_amd_vmem_set_access(va, granule, access, 2));
    if (!memory_refused())
        return NO_MORE;
    if (hsa_amd_vmem_get_access(va, &permissions, access[0].agent_handle))
        return DEFECT;
    return status && permissions != HSA_ACCESS_PERMISSION_RW ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
