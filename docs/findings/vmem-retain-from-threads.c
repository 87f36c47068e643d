/* A thread asks for the memory of a mapping that stays, while another thread maps and unmaps. */
#include "threads.h"
#include "vmem.h"

/* So many that the tree in which the library looks for an address is turned again and again. */
enum { MAPPINGS = 16, ROUNDS = 20000 };

FUNCTION(int, hsa_amd_vmem_retain_alloc_handle, (hsa_amd_vmem_alloc_handle_t *memory, void *va),
         (memory, va))
FUNCTION(int, hsa_amd_vmem_handle_release, (hsa_amd_vmem_alloc_handle_t memory), (memory))

static void *stays;
static char *others;
static hsa_amd_vmem_alloc_handle_t memory_of_others;
static size_t granule;
static atomic_bool unknown, done;

static bool retained(void)
{
    hsa_amd_vmem_alloc_handle_t memory;

    return !hsa_amd_vmem_retain_alloc_handle(&memory, stays) &&
           !hsa_amd_vmem_handle_release(memory);
}

static void map_and_unmap(void)
{
    for (int i = 0; i < MAPPINGS; i++)
        if (hsa_amd_vmem_map(others + i * granule, granule, 0, memory_of_others, 0))
            cannot_tell("memory is not mapped");
    for (int i = 0; i < MAPPINGS; i++)
        if (hsa_amd_vmem_unmap(others + i * granule, granule))
            cannot_tell("memory is not unmapped");
}

static void *act(void *number)
{
    meet();
    if (*(int *)number) {
        for (int round = 0; round < ROUNDS && !unknown; round++)
            if (!retained())
                unknown = true;
        done = true;
    } else {
        while (!done)
            map_and_unmap();
    }
    return NULL;
}

static int defect(void)
{
    initialise();
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    stays = mapped(gpu_pool(), granule);
    others = reserved(MAPPINGS * granule);
    memory_of_others = created(gpu_pool(), granule);
    map_and_unmap();
    if (!retained())
        cannot_tell("one thread cannot retain memory and release it");
    begin(act);
    return unknown ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_vmem_retain_alloc_handle");
    return rate(defect);
}
