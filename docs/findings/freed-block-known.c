/* The address of a block that was freed is of no known kind. */
#include "pointers.h"

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))

int main(int count, char **words)
{
    uint32_t before, after;
    void *block;

    start(count, words);
    block = block_of(HSA_DEVICE_TYPE_GPU, 4096);
    before = type_of(block);
    if (hsa_amd_memory_pool_free(block))
        cannot_tell("the block is not freed");
    after = type_of(block);
    printf("kind %u, and when it was freed %u\n", before, after);
    return after != HSA_EXT_POINTER_TYPE_UNKNOWN;
}
