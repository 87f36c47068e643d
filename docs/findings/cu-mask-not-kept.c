/* The mask of compute units that was set for a queue has to be read back. */
#include "queues.h"

FUNCTION(int, hsa_amd_queue_cu_set_mask,
         (const hsa_queue_t *queue, uint32_t bits, const uint32_t *mask), (queue, bits, mask))
FUNCTION(int, hsa_amd_queue_cu_get_mask,
         (const hsa_queue_t *queue, uint32_t bits, uint32_t *mask), (queue, bits, mask))

int main(int count, char **words)
{
    const uint32_t wanted = 3; /* the first two units */
    uint32_t found = 0;
    hsa_queue_t *queue;

    load(count, words);
    need("hsa_amd_queue_cu_set_mask");
    initialise();
    queue = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), 0);
    if (hsa_amd_queue_cu_set_mask(queue, 32, &wanted) ||
        hsa_amd_queue_cu_get_mask(queue, 32, &found))
        cannot_tell("masks do not work");
    printf("set %#x, got %#x\n", wanted, found);
    return found != wanted;
}
