/* The address of a block that was freed is of no known kind. */
#include "finding.h"

enum { HSA_EXT_POINTER_TYPE_UNKNOWN = 0 };

/* What is filled in; newer releases have more. */
typedef struct {
    uint32_t size, type;
    void *agent_address, *host_address;
    size_t bytes;
    void *user_data;
    hsa_agent_t owner;
    uint32_t flags;
} hsa_amd_pointer_info_t;

FUNCTION(int, hsa_amd_memory_pool_free, (void *block), (block))
FUNCTION(int, hsa_amd_pointer_info,
         (const void *address, hsa_amd_pointer_info_t *info, void *allocate, uint32_t *count,
          hsa_agent_t **agents),
         (address, info, allocate, count, agents))

static uint32_t type_of(const void *address)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};

    if (hsa_amd_pointer_info(address, &info, NULL, NULL, NULL))
        cannot_tell("the kind of the address is unknown");
    return info.type;
}

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
