/* Memory has to be filled with 32-bit numbers, not with bytes. */
#include "finding.h"

FUNCTION(int, hsa_amd_memory_fill, (void *block, uint32_t value, size_t count),
         (block, value, count))

int main(int count, char **words)
{
    uint32_t *block;

    start(count, words);
    /* No GPU was given access: no kernel can be meant to do it. */
    block = block_of(HSA_DEVICE_TYPE_CPU, 4096);
    if (hsa_amd_memory_fill(block, 0x11223344, 2))
        cannot_tell("the call does not succeed");
    printf("%#x %#x\n", block[0], block[1]);
    return block[0] != 0x11223344 || block[1] != 0x11223344;
}
