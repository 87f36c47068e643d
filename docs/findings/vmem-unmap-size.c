/* A size that is not that of the mapping is an invalid argument. */
#include "vmem.h"

int main(int count, char **words)
{
    size_t granule;
    void *va;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    va = mapped(gpu_pool(), 2 * granule);
    return STATUS_OF(hsa_amd_vmem_unmap(va, granule)) != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
