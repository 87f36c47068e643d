/* Mapped memory begins where it was mapped, whichever of its addresses is asked about. */
#include "pointers.h"
#include "vmem.h"

int main(int count, char **words)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    hsa_amd_memory_pool_t pool;
    size_t granule;
    char *va;

    start(count, words);
    need_virtual_memory();
    pool = gpu_pool();
    granule = granule_of(pool);
    va = reserved(2 * granule);
    if (hsa_amd_vmem_map(va, 2 * granule, 0, created(pool, 2 * granule), 0))
        cannot_tell("no mapping");
    if (hsa_amd_pointer_info(va + granule, &info, NULL, NULL, NULL))
        cannot_tell("nothing is said of the address");
    if (info.type != HSA_EXT_POINTER_TYPE_HSA_VMEM)
        cannot_tell("the memory is not known as mapped");
    printf("the base is %td bytes behind where the memory was mapped, and %zu bytes long\n",
           (char *)info.agent_address - va, info.bytes);
    return info.agent_address != va;
}
