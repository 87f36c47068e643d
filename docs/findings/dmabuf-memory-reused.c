/* Memory that a dma-buf refers to is not to be given out again. */
#include "finding.h"

#include <sys/stat.h>

enum { SIZE = 4096 };

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))
FUNCTION(int, hsa_amd_portable_export_dmabuf,
         (const void *block, size_t size, int *descriptor, uint64_t *offset),
         (block, size, descriptor, offset))

struct buffer {
    struct stat file;
    uint64_t offset;
};

static struct buffer exported(void *block)
{
    struct buffer buffer;
    int descriptor;

    if (hsa_amd_portable_export_dmabuf(block, SIZE, &descriptor, &buffer.offset) ||
        fstat(descriptor, &buffer.file))
        cannot_tell("the memory cannot be exported");
    return buffer;
}

int main(int count, char **words)
{
    struct buffer first, second;
    void *block;

    start(count, words);
    block = block_of(HSA_DEVICE_TYPE_GPU, SIZE);
    first = exported(block);
    hsa_amd_memory_pool_free(block);
    /* The descriptor of the first is still open. */
    second = exported(block_of(HSA_DEVICE_TYPE_GPU, SIZE));
    printf("offsets %llu and %llu in %s\n", (unsigned long long)first.offset,
           (unsigned long long)second.offset,
           first.file.st_ino == second.file.st_ino ? "the same buffer" : "two buffers");
    return first.file.st_ino == second.file.st_ino && first.offset == second.offset;
}
