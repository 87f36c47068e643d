/* A length that is not that of the block has to be refused. */
#include "ipc.h"

int main(int count, char **words)
{
    hsa_amd_ipc_memory_t shared;
    void *mapped;

    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    shared = memory_of_another_process();
    initialise();
    return STATUS_OF(hsa_amd_ipc_memory_attach(&shared, 2 * SHARED_BYTES, 0, NULL, &mapped)) ==
           HSA_STATUS_SUCCESS;
}
