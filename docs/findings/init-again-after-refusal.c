/* After hsa_init has failed for want of memory it has to succeed when there is memory again. */
#include "refusal.h"

/* Whether hsa_init fails again after it has failed because of the refusal. */
static int again(struct refusal refusal)
{
    int first, second;

    refuse(refusal);
    first = hsa_init();
    if (!refused() || !first)
        return NO_DEFECT;
    second = hsa_init();
    printf("call %#x refused: status %#x, and then %#x\n", (unsigned)refusal.call, (unsigned)first,
           (unsigned)second);
    return second != HSA_STATUS_SUCCESS;
}

static int acquire_vm(void)
{
    return again((struct refusal){.call = ACQUIRE_VM, .error = ENOMEM});
}

static int libdrm(void)
{
    return again((struct refusal){.call = AMDGPU_DEVICE_INITIALIZE, .error = ENOMEM});
}

static int alloc_memory(void)
{
    return again((struct refusal){.call = ALLOC_MEMORY_OF_GPU, .error = ENOMEM, .lasting = 1});
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(acquire_vm, libdrm, alloc_memory);
}
