/* A block is not said to be unknown because there is no memory to describe it. */
#include "heap_refusals.h"
#include "pointers.h"

static int defect(void)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    void *block;
    int status;

    initialise();
    block = block_of(HSA_DEVICE_TYPE_GPU, 4096);
    refuse_memory();
    status = STATUS_OF(hsa_amd_pointer_info(block, &info, NULL, NULL, NULL));
    if (!memory_refused())
        return NO_MORE;
    printf("the type is %u\n", info.type);
    return !status && info.type == HSA_EXT_POINTER_TYPE_UNKNOWN ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
