/* When the driver has no memory for hsa_init, this is what it has to say, and not to end the process. */
#include "refusal.h"

static int defect(void)
{
    int status = STATUS_OF(hsa_init());

    return status && status != HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* Refuse one call of the kind after the other. */
static int each(int32_t call)
{
    int found = NO_DEFECT, met = 1;

    for (int32_t after = 0; met; after++) {
        refuse((struct refusal){.call = call, .after = after, .error = ENOMEM});
        printf("call %#x, number %d refused: ", (unsigned)call, after + 1);
        found |= survive(defect);
        met = refused();
    }
    return found;
}

int main(int count, char **words)
{
    load(count, words);
    return each(MAP_MEMORY_TO_GPU) | each(AMDGPU_DEVICE_INITIALIZE);
}
