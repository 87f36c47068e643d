/* An error of a queue without a callback must not end the process. */
#include "queues.h"

#include <time.h>

enum { HSA_QUEUE_TYPE_MULTI = 0, UNKNOWN_TYPE = 6 };

FUNCTION(uint64_t, hsa_queue_add_write_index_screlease, (const hsa_queue_t *queue, uint64_t value),
         (queue, value))

static int defect(void)
{
    const struct timespec moment = {.tv_nsec = 200000000};
    void (*ring)(hsa_signal_t doorbell, int64_t index);
    hsa_queue_t *queue;

    need("hsa_queue_create");
    initialise();
    queue = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), HSA_QUEUE_TYPE_MULTI);
    find("hsa_signal_store_screlease", (void *)&ring);
    hsa_queue_add_write_index_screlease(queue, 1);
    *(uint32_t *)queue->base_address = UNKNOWN_TYPE;
    ring(queue->doorbell_signal, 0);
    nanosleep(&moment, NULL);
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
