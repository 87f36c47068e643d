/* hsa_amd_vmem_handle_create that finds no memory says so, and does not succeed with the handle 0. */
#include "vmem.h"

enum { PARTS = 8 };

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory;
    hsa_amd_memory_pool_t pool;
    size_t granule, size;
    int status = 0;

    start(count, words);
    need_virtual_memory();
    pool = gpu_pool();
    granule = granule_of(pool);
    if (hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size))
        cannot_tell("the size of the pool is unknown");
    size = size / PARTS / granule * granule;

    /* More parts than there are: sooner or later there is no memory for one. */
    for (int part = 1; !status && part <= 2 * PARTS; part++) {
        memory.handle = 1;
        status = hsa_amd_vmem_handle_create(pool, size, 0, 0, &memory);
        printf("part %d of %d: status %#x, handle %#llx\n", part, PARTS, (unsigned)status,
               (unsigned long long)memory.handle);
        if (!status && !memory.handle)
            return DEFECT;
    }
    return NO_DEFECT;
}
