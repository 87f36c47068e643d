/* Who is to give memory back must not answer success when the driver did not take it. */
#include "ipc.h"
#include "refusal.h"
#include "vmem.h"

FUNCTION(int, hsa_amd_vmem_handle_release, (hsa_amd_vmem_alloc_handle_t memory), (memory))
FUNCTION(int, hsa_amd_ipc_memory_detach, (void *mapped), (mapped))

static int untold(int status)
{
    return refused() && status == HSA_STATUS_SUCCESS;
}

static int handle_released(void)
{
    hsa_amd_vmem_alloc_handle_t memory;

    initialise();
    need_virtual_memory();
    memory = created(gpu_pool(), granule_of(gpu_pool()));
    refuse((struct refusal){.call = FREE_MEMORY_OF_GPU, .error = ENOMEM});
    return untold(STATUS_OF(hsa_amd_vmem_handle_release(memory)));
}

static int block_detached(void)
{
    hsa_amd_ipc_memory_t name = memory_of_another_process();
    void *mapped;

    initialise();
    if (hsa_amd_ipc_memory_attach(&name, SHARED_BYTES, 0, NULL, &mapped))
        cannot_tell("the block cannot be attached");
    refuse((struct refusal){.call = FREE_MEMORY_OF_GPU, .error = ENOMEM});
    return untold(STATUS_OF(hsa_amd_ipc_memory_detach(mapped)));
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(handle_released, block_detached);
}
