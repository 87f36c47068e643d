/* Where the driver does not take memory back, hsa_amd_memory_pool_free has to say so. */
#include "refusal.h"

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))

static int defect(void)
{
    void *block;

    initialise();
    block = block_of(HSA_DEVICE_TYPE_CPU, 4096);
    refuse((struct refusal){.call = FREE_MEMORY_OF_GPU, .error = ENOMEM});
    STATUS_OF(hsa_amd_memory_pool_free(block));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = survive(defect);
    refused();
    return found;
}
