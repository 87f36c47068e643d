/* To ask for permissions that were never set is an error. */
#include "vmem.h"

int main(int count, char **words)
{
    int permissions = -1;
    void *va;

    start(count, words);
    need_virtual_memory();
    va = mapped(gpu_pool(), granule_of(gpu_pool()));
    return STATUS_OF(hsa_amd_vmem_get_access(va, &permissions, agent_of(HSA_DEVICE_TYPE_GPU))) !=
           HSA_STATUS_ERROR_INVALID_ALLOCATION;
}
