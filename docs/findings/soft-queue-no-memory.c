/* A soft queue for which there is no memory is refused, and the process goes on. */
#include "heap_refusals.h"
#include "soft_queues.h"

static int defect(void)
{
    hsa_region_t region;
    hsa_signal_t doorbell;
    hsa_queue_t *queue;

    initialise();
    region = host_region();
    doorbell = signal_of(0);
    refuse_memory();
    STATUS_OF(hsa_soft_queue_create(region, 64, 0, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell,
                                    &queue));
    return memory_refused() ? NO_DEFECT : NO_MORE;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
