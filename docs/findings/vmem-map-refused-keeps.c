/* Memory that could not be mapped at reserved addresses leaves no file behind. */
#include "refusal.h"
#include "vmem.h"

enum { ROUNDS = 4 };

int main(int count, char **words)
{
    hsa_amd_vmem_alloc_handle_t memory;
    size_t granule;
    void *va;
    int files, kept;

    start(count, words);
    need_virtual_memory();
    granule = granule_of(gpu_pool());
    va = reserved(granule);
    memory = created(gpu_pool(), granule);
    files = open_files();
    for (int round = 0; round < ROUNDS; round++) {
        refuse((struct refusal){.call = AMDGPU_BO_IMPORT, .error = ENOMEM});
        if (!STATUS_OF(hsa_amd_vmem_map(va, granule, 0, memory, 0)) || !refused())
            return NO_DEFECT;
    }
    kept = open_files() - files;
    printf("%d more files are open\n", kept);
    return kept >= ROUNDS ? DEFECT : NO_DEFECT;
}
