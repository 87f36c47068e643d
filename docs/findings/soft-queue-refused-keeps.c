/* A soft queue that could not be created leaves no memory behind. */
#include "soft_queues.h"
#include "refusal.h"

enum { ROUNDS = 8 };

int main(int count, char **words)
{
    hsa_region_t region;
    hsa_signal_t doorbell;
    hsa_queue_t *queue;
    int before = 0, kept;

    start(count, words);
    region = host_region();
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
