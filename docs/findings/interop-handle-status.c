/* A handle that names no buffer has to be refused with a status that is listed. */
#include "finding.h"

FUNCTION(int, hsa_amd_interop_map_buffer,
         (uint32_t count, hsa_agent_t *agents, int handle, uint32_t flags, size_t *size,
          void **address, size_t *metadata_size, const void **metadata),
         (count, agents, handle, flags, size, address, metadata_size, metadata))

int main(int count, char **words)
{
    hsa_agent_t gpu;
    size_t size;
    void *address;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    return STATUS_OF(hsa_amd_interop_map_buffer(1, &gpu, ordinary_file(), 0, &size, &address, NULL,
                                                NULL)) != HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
