/* More than the size of the memory cannot be mapped: that is an invalid argument. */
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory;
    size_t granule;
    void *va;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    memory = created(gpu_pool(), granule);
    va = reserved(2 * granule);
    return STATUS_OF(hsa_amd_vmem_map(va, 2 * granule, 0, memory, 0)) !=
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
