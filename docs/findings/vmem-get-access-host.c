/* The access that was set for the host's agent can be asked for. */
#include "vmem.h"

int main(int count, char **words)
{
    int status, permissions = -1;
    hsa_agent_t host;
    size_t granule;
    void *va;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    va = mapped(gpu_pool(), granule);
    host = agent_of(HSA_DEVICE_TYPE_CPU);
    allow(host, va, granule);
    status = STATUS_OF(hsa_amd_vmem_get_access(va, &permissions, host));
    printf("permission %d\n", permissions);
    return status || permissions != HSA_ACCESS_PERMISSION_RW;
}
