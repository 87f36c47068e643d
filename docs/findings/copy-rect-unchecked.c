/* A copy of a box to or from NULL, or in no known direction, has to be refused. */
#include "finding.h"

typedef struct {
    void *base;
    size_t pitch, slice;
} hsa_pitched_ptr_t;

typedef struct {
    uint32_t x, y, z;
} hsa_dim3_t;

enum { HSA_AMD_COPY_DIRECTION_HOST_TO_DEVICE = 1, NO_DIRECTION = 4 };

FUNCTION(int, hsa_amd_memory_async_copy_rect,
         (const hsa_pitched_ptr_t *to, const hsa_dim3_t *to_offset, const hsa_pitched_ptr_t *from,
          const hsa_dim3_t *from_offset, const hsa_dim3_t *range, hsa_agent_t agent, int direction,
          uint32_t count, const hsa_signal_t *dependencies, hsa_signal_t done),
         (to, to_offset, from, from_offset, range, agent, direction, count, dependencies, done))

/* The copy waits for a signal that nobody sets to 0, so that it never begins. */
static bool is_accepted(const char *what, void *to, void *from, int direction)
{
    hsa_pitched_ptr_t target = {to, 64, 512}, source = {from, 64, 512};
    hsa_dim3_t begin = {0, 0, 0}, range = {1, 1, 1};
    hsa_signal_t never = signal_of(1);

    print_call(what);
    return !print_status(hsa_amd_memory_async_copy_rect(
        &target, &begin, &source, &begin, &range, agent_of(HSA_DEVICE_TYPE_GPU), direction, 1,
        &never, signal_of(1)));
}

int main(int count, char **words)
{
    bool wrong = false;
    void *block;

    start(count, words);
    block = block_of(HSA_DEVICE_TYPE_CPU, 4096);
    wrong |= is_accepted("to NULL", NULL, block, HSA_AMD_COPY_DIRECTION_HOST_TO_DEVICE);
    wrong |= is_accepted("from NULL", block, NULL, HSA_AMD_COPY_DIRECTION_HOST_TO_DEVICE);
    wrong |= is_accepted("direction 4", block, block, NO_DIRECTION);
    fflush(stdout);
    _Exit(wrong);
}
