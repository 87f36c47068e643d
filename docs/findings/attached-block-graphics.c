/* A block that another process shares is reported as shared. */
#include "ipc.h"
#include "pointers.h"

int main(int count, char **words)
{
    hsa_amd_ipc_memory_t shared;
    uint32_t type;
    void *mapped;

    load(count, words);
    need("hsa_amd_ipc_memory_attach");
    shared = memory_of_another_process();
    initialise();
    if (hsa_amd_ipc_memory_attach(&shared, SHARED_BYTES, 0, NULL, &mapped))
        cannot_tell("the block is not attached");
    type = type_of(mapped);
    printf("kind %u\n", type);
    return type != HSA_EXT_POINTER_TYPE_IPC;
}
