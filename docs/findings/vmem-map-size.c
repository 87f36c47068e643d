/* What is mapped is the whole memory of a handle: another size is an invalid argument. */
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory;
    size_t granule;
    void *va;
    int more, less;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    memory = created(gpu_pool(), 2 * granule);
    va = reserved(4 * granule);
    more = STATUS_OF(hsa_amd_vmem_map(va, 4 * granule, 0, memory, 0));
    less = STATUS_OF(hsa_amd_vmem_map(va, granule, 0, memory, 0));
    return more != HSA_STATUS_ERROR_INVALID_ARGUMENT || less != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
