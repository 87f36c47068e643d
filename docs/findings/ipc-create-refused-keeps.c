/* A block that could not be shared leaves no file behind. */
#include "ipc.h"
#include "refusal.h"

enum { ROUNDS = 4 };

int main(int count, char **words)
{
    hsa_amd_ipc_memory_t name;
    void *block;
    int files, kept;

    start(count, words);
    block = block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES);
    files = open_files();
    for (int round = 0; round < ROUNDS; round++) {
        refuse((struct refusal){.call = AMDGPU_BO_IMPORT, .error = ENOMEM});
        if (!STATUS_OF(hsa_amd_ipc_memory_create(block, SHARED_BYTES, &name)) || !refused())
            return NO_DEFECT;
    }
    kept = open_files() - files;
    printf("%d more files are open\n", kept);
    return kept >= ROUNDS ? DEFECT : NO_DEFECT;
}
