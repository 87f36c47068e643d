/* An output that is NULL has to be refused, and not to end the process. */
#include "vmem.h"

FUNCTION(int, hsa_amd_vmem_retain_alloc_handle, (hsa_amd_vmem_alloc_handle_t *memory, void *va),
         (memory, va))

static size_t granule(void)
{
    initialise();
    need_virtual_memory();
    return granule_of(gpu_pool());
}

static int reserve(void)
{
    return !STATUS_OF(hsa_amd_vmem_address_reserve(NULL, granule(), 0, 0));
}

static int reserve_aligned(void) /* from 6.2 on */
{
    need("hsa_amd_vmem_address_reserve_align");
    return !STATUS_OF(hsa_amd_vmem_address_reserve_align(NULL, granule(), 0, 0, 0));
}

static int create(void)
{
    size_t size = granule();

    return !STATUS_OF(hsa_amd_vmem_handle_create(gpu_pool(), size, 0, 0, NULL));
}

static int retain(void)
{
    size_t size = granule();

    return !STATUS_OF(hsa_amd_vmem_retain_alloc_handle(NULL, mapped(gpu_pool(), size)));
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(reserve, reserve_aligned, create, retain);
}
