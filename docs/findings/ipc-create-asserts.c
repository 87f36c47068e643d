/* Memory that cannot be shared has to be refused, and not to end the process. */
#include "finding.h"

enum { SIZE = 4096 };

FUNCTION(int, hsa_amd_ipc_memory_create, (void *block, size_t size, uint32_t *name),
         (block, size, name))

static int unknown_memory(void)
{
    static char memory[2 * SIZE];
    uint32_t name[8];

    initialise();
    STATUS_OF(hsa_amd_ipc_memory_create(memory, SIZE, name));
    return NO_DEFECT;
}

static int memory_of_the_host(void)
{
    uint32_t name[8];

    initialise();
    STATUS_OF(hsa_amd_ipc_memory_create(block_of(HSA_DEVICE_TYPE_CPU, SIZE), SIZE, name));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(unknown_memory, memory_of_the_host);
}
