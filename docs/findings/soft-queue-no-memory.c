/* A soft queue for which there is no memory is refused, and the process goes on. */
#include "heap_refusals.h"
#include "queues.h"

enum { HSA_QUEUE_FEATURE_AGENT_DISPATCH = 2 };

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_soft_queue_create,
         (hsa_region_t region, uint32_t size, uint32_t type, uint32_t features,
          hsa_signal_t doorbell, hsa_queue_t **queue),
         (region, size, type, features, doorbell, queue))

static int first(hsa_region_t region, void *data)
{
    *(hsa_region_t *)data = region;
    return HSA_STATUS_INFO_BREAK;
}

static int defect(void)
{
    hsa_region_t region = {0};
    hsa_signal_t doorbell;
    hsa_queue_t *queue;

    initialise();
    hsa_agent_iterate_regions(agent_of(HSA_DEVICE_TYPE_CPU), first, &region);
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
