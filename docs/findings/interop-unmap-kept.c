/* A block is described as one, although a buffer that was unmapped had some of its addresses. */
#include "pointers.h"
#include "vmem.h"
#include <unistd.h>

enum { BUFFER_BYTES = 0x201000, BLOCK_BYTES = 0x500000, MOST = 16 };

FUNCTION(int, hsa_amd_vmem_export_shareable_handle,
         (int *descriptor, hsa_amd_vmem_alloc_handle_t memory, uint64_t flags),
         (descriptor, memory, flags))
FUNCTION(int, hsa_amd_vmem_handle_release, (hsa_amd_vmem_alloc_handle_t memory), (memory))
FUNCTION(int, hsa_amd_interop_map_buffer,
         (uint32_t count, hsa_agent_t *agents, int handle, uint32_t flags, size_t *size,
          void **address, size_t *metadata_size, const void **metadata),
         (count, agents, handle, flags, size, address, metadata_size, metadata))
FUNCTION(int, hsa_amd_interop_unmap_buffer, (void *address), (address))

/* Where a buffer was mapped that is no longer. */
static char *unmapped(void)
{
    hsa_amd_vmem_alloc_handle_t memory;
    hsa_agent_t gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    void *address;
    size_t size;
    int descriptor;

    if (hsa_amd_vmem_handle_create(gpu_pool(), BUFFER_BYTES, 0, 0, &memory) ||
        hsa_amd_vmem_export_shareable_handle(&descriptor, memory, 0) ||
        hsa_amd_interop_map_buffer(1, &gpu, descriptor, 0, &size, &address, NULL, NULL))
        cannot_tell("no buffer is mapped");
    if (hsa_amd_interop_unmap_buffer(address) || hsa_amd_vmem_handle_release(memory))
        cannot_tell("the buffer is not given back");
    close(descriptor);
    return address;
}

int main(int count, char **words)
{
    hsa_amd_pointer_info_t first = {.size = sizeof first}, last = {.size = sizeof last};
    char *buffer, *block;

    start(count, words);
    need_virtual_memory();
    buffer = unmapped();
    for (int i = 0; i < MOST; i++) {
        block = block_of(HSA_DEVICE_TYPE_CPU, BLOCK_BYTES);
        if (buffer <= block || buffer >= block + BLOCK_BYTES)
            continue;
        if (hsa_amd_pointer_info(block, &first, NULL, NULL, NULL) ||
            hsa_amd_pointer_info(block + BLOCK_BYTES - 1, &last, NULL, NULL, NULL))
            cannot_tell("the block is not described");
        printf("the block is of type %u at %p, and its last byte in one of type %u at %p\n",
               first.type, first.agent_address, last.type, last.agent_address);
        return first.type != last.type || first.agent_address != last.agent_address;
    }
    cannot_tell("no block has the addresses of the buffer");
    return NO_DEFECT;
}
