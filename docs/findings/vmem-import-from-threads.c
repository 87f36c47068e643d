/* Two threads import memory of their own at one time, and release it. */
#include "threads.h"
#include "vmem.h"

enum { ROUNDS = 2000 };

FUNCTION(int, hsa_amd_vmem_export_shareable_handle,
         (int *file, hsa_amd_vmem_alloc_handle_t memory, uint64_t flags), (file, memory, flags))
FUNCTION(int, hsa_amd_vmem_import_shareable_handle,
         (int file, hsa_amd_vmem_alloc_handle_t *memory), (file, memory))
FUNCTION(int, hsa_amd_vmem_handle_release, (hsa_amd_vmem_alloc_handle_t memory), (memory))

static int files[THREADS];
static atomic_int refused;

static void *import(void *number)
{
    int file = files[*(int *)number];
    hsa_amd_vmem_alloc_handle_t memory;

    meet();
    for (int round = 0; round < ROUNDS && !refused; round++)
        if (hsa_amd_vmem_import_shareable_handle(file, &memory) ||
            hsa_amd_vmem_handle_release(memory))
            refused = true;
    return NULL;
}

static int defect(void)
{
    int number = 0;
    size_t granule;

    initialise();
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    for (int i = 0; i < THREADS; i++)
        if (hsa_amd_vmem_export_shareable_handle(&files[i], created(gpu_pool(), granule), 0))
            cannot_tell("memory is not exported");
    arrived = THREADS; /* one thread waits for nobody */
    import(&number);
    if (refused)
        cannot_tell("one thread cannot import memory and release it");
    begin(import);
    return refused ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_vmem_import_shareable_handle");
    return rate(defect);
}
