/* A copy of a box that failed because the driver refused a queue succeeds when it refuses nothing. */
#include "refusal.h"

typedef struct {
    void *base;
    size_t pitch, slice;
} hsa_pitched_ptr_t;

typedef struct {
    uint32_t x, y, z;
} hsa_dim3_t;

enum { HSA_AMD_COPY_DIRECTION_HOST_TO_DEVICE = 1 };

FUNCTION(int, hsa_amd_memory_async_copy_rect,
         (const hsa_pitched_ptr_t *to, const hsa_dim3_t *to_offset, const hsa_pitched_ptr_t *from,
          const hsa_dim3_t *from_offset, const hsa_dim3_t *range, hsa_agent_t agent, int direction,
          uint32_t count, const hsa_signal_t *dependencies, hsa_signal_t done),
         (to, to_offset, from, from_offset, range, agent, direction, count, dependencies, done))

static int copy(void *block, hsa_signal_t done)
{
    hsa_pitched_ptr_t target = {block, 64, 512}, source = {(char *)block + 2048, 64, 512};
    hsa_dim3_t begin = {0, 0, 0}, range = {4, 1, 1};

    return STATUS_OF(hsa_amd_memory_async_copy_rect(&target, &begin, &source, &begin, &range,
                                                    agent_of(HSA_DEVICE_TYPE_GPU),
                                                    HSA_AMD_COPY_DIRECTION_HOST_TO_DEVICE, 0, NULL,
                                                    done));
}

int main(int count, char **words)
{
    hsa_signal_t done;
    void *block;
    int first, found;

    start(count, words);
    block = block_of(HSA_DEVICE_TYPE_CPU, 4096);
    done = signal_of(1);
    refuse((struct refusal){.call = CREATE_QUEUE, .error = ENOMEM});
    first = copy(block, done);
    found = refused() && first && copy(block, done) != HSA_STATUS_SUCCESS;
    fflush(stdout);
    _Exit(found);
}
