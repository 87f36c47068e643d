/* A flag that no text names has to be refused. */
#include "finding.h"

enum { SIZE = 4096, UNNAMED_FLAG = 2 };

FUNCTION(int, hsa_amd_portable_export_dmabuf_v2,
         (const void *block, size_t size, int *descriptor, uint64_t *offset, uint64_t flags),
         (block, size, descriptor, offset, flags))

int main(int count, char **words)
{
    uint64_t offset;
    void *block;
    int descriptor;

    start(count, words);
    block = block_of(HSA_DEVICE_TYPE_GPU, SIZE);
    return STATUS_OF(hsa_amd_portable_export_dmabuf_v2(block, SIZE, &descriptor, &offset,
                                                       UNNAMED_FLAG)) == HSA_STATUS_SUCCESS;
}
