/* A fill for which the driver refuses memory or a thread is refused, and the process goes on. */
#include "refusal.h"

FUNCTION(int, hsa_amd_memory_fill, (void *block, uint32_t value, size_t count),
         (block, value, count))

static struct refusal refusal = {.error = ENOMEM};

static int fill(void)
{
    void *block;

    initialise();
    block = block_of(HSA_DEVICE_TYPE_GPU, 4096);
    refuse(refusal);
    STATUS_OF(hsa_amd_memory_fill(block, 0, 1));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    refusal.call = MAP_MEMORY_TO_GPU;
    found = survive_each(fill, &refusal.after);
    if (found != NO_DEFECT)
        return found;
    refusal = (struct refusal){.call = PTHREAD_CREATE, .error = EAGAIN};
    return survive_each(fill, &refusal.after);
}
