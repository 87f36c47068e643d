/* Memory that is locked for agents is reported as locked. */
#include "pointers.h"

FUNCTION(int, hsa_amd_memory_lock,
         (void *memory, size_t size, hsa_agent_t *agents, int count, void **address),
         (memory, size, agents, count, address))

int main(int count, char **words)
{
    static char memory[8192];
    hsa_agent_t gpu;
    void *address;
    uint32_t type;

    load(count, words);
    need("hsa_amd_memory_lock");
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (hsa_amd_memory_lock(memory, sizeof memory, &gpu, 1, &address))
        cannot_tell("the memory is not locked");
    type = type_of(address);
    printf("kind %u\n", type);
    return type != HSA_EXT_POINTER_TYPE_LOCKED;
}
