/* hsa_shut_down succeeds, though memory is still mapped for a GPU. */
#include "vmem.h"
#include <malloc.h>

FUNCTION(int, hsa_shut_down, (void), ())

static int shut_down(void)
{
    hsa_amd_memory_pool_t pool;
    size_t size;

#ifdef M_PERTURB
    mallopt(M_PERTURB, 0x5A); /* what is freed is overwritten, so that its use shows each time */
#endif
    initialise();
    need_virtual_memory();
    pool = gpu_pool();
    size = granule_of(pool);
    allow(agent_of(HSA_DEVICE_TYPE_GPU), mapped(pool, size), size);
    return STATUS_OF(hsa_shut_down()) != 0;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_vmem_set_access");
    return survive(shut_down);
}
