/* Unmapping memory that the host could reach must not end the reservation. */
#include "vmem.h"

int main(int count, char **words)
{
    size_t granule;
    char *va, *other;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    va = mapped(gpu_pool(), granule);
    allow(agent_of(HSA_DEVICE_TYPE_CPU), va, granule);
    if (hsa_amd_vmem_unmap(va, granule))
        cannot_tell("it cannot be unmapped");
    /* The first range was never freed, so a second one has to be elsewhere: asked for there, too. */
    if (hsa_amd_vmem_address_reserve((void **)&other, granule, (uintptr_t)va, 0))
        cannot_tell("no addresses");
    printf("reserved %p, and then %p\n", (void *)va, (void *)other);
    return va < other + granule && other < va + granule;
}
