/* Locked memory is described, and described again, while a GPU is hidden. */
#define _GNU_SOURCE
#include "pointers.h"

FUNCTION(int, hsa_amd_memory_lock,
         (void *memory, size_t size, hsa_agent_t *agents, int count, void **address),
         (memory, size, agents, count, address))

static char memory[4096];

static int defect(void)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    hsa_agent_t gpu, *agents = NULL;
    uint32_t count = 0;
    void *address;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    if (STATUS_OF(hsa_amd_memory_lock(memory, sizeof memory, &gpu, 1, &address)))
        cannot_tell("the memory cannot be locked");
    for (int i = 0; i < 2; i++)
        STATUS_OF(hsa_amd_pointer_info(memory, &info, malloc, &count, &agents));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    setenv("ROCR_VISIBLE_DEVICES", "1", 1); /* the second GPU, and not the first */
    load(count, words);
    return survive(defect);
}
