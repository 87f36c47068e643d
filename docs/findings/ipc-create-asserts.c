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

/* Leave on the stack what is no offset: the call may look at one that nobody has written. */
static __attribute__((noinline)) int soil_the_stack(void)
{
    volatile char soil[4 * SIZE];

    for (int i = 0; i < 4 * SIZE; i++)
        soil[i] = 0x5A;
    return soil[0];
}

static int memory_of_the_host(void)
{
    uint32_t name[8];
    void *block;

    initialise();
    block = block_of(HSA_DEVICE_TYPE_CPU, SIZE);
    hsa_amd_ipc_memory_create(NULL, SIZE, name); /* the symbol is looked up before the stack is soiled */
    STATUS_OF((soil_the_stack(), hsa_amd_ipc_memory_create(block, SIZE, name)));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(unknown_memory, memory_of_the_host);
}
