/* A name of shared memory stays good when another named block is freed. */
#include "ipc.h"

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))

/* Small, so that the library cuts both blocks out of one buffer of the driver. */
static bool share_second_of_two(hsa_amd_ipc_memory_t *name)
{
    hsa_amd_ipc_memory_t other;
    void *first = block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES);
    void *second = block_of(HSA_DEVICE_TYPE_GPU, SHARED_BYTES);

    return !hsa_amd_ipc_memory_create(first, SHARED_BYTES, &other) &&
           !hsa_amd_ipc_memory_create(second, SHARED_BYTES, name) &&
           !hsa_amd_memory_pool_free(first);
}

int main(int count, char **words)
{
    hsa_amd_ipc_memory_t name;
    hsa_agent_t gpu;
    void *mapped;

    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    name = shared_by_another_process(share_second_of_two);
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    return STATUS_OF(hsa_amd_ipc_memory_attach(&name, SHARED_BYTES, 1, &gpu, &mapped)) ==
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
