/* A soft queue that could not be created leaves no memory behind. */
#include "queues.h"
#include "refusal.h"

enum { HSA_QUEUE_FEATURE_AGENT_DISPATCH = 2, ROUNDS = 8 };

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

int main(int count, char **words)
{
    hsa_region_t region = {0};
    hsa_signal_t doorbell;
    hsa_queue_t *queue;
    int before = 0, kept;

    start(count, words);
    hsa_agent_iterate_regions(agent_of(HSA_DEVICE_TYPE_CPU), first, &region);
    doorbell = signal_of(0);
    for (int round = -1; round < ROUNDS; round++) {
        if (round == 0)
            before = mappings();
        refuse((struct refusal){.call = MAP_MEMORY_TO_GPU, .after = 1, .error = ENOMEM});
        if (!STATUS_OF(hsa_soft_queue_create(region, 64, 0, HSA_QUEUE_FEATURE_AGENT_DISPATCH,
                                             doorbell, &queue)) || !refused())
            return NO_DEFECT;
    }
    kept = mappings() - before;
    printf("there are %d more mappings\n", kept);
    return kept >= ROUNDS ? DEFECT : NO_DEFECT;
}
