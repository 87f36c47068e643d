/* A queue that could not be created leaves nothing behind on the heap. */
#include "queues.h"
#include "heap.h"
#include "refusal.h"

enum { HSA_QUEUE_TYPE_MULTI = 0, MOST_MAPPINGS = 12, ROUNDS = 64, LEAST_BYTES = 64 };

/* Return whether the creation of a queue fails when this mapping is refused; the queue is kept. */
static bool fails(hsa_agent_t gpu, int after)
{
    hsa_queue_t *queue;
    int status;

    refuse((struct refusal){.call = MAP_MEMORY_TO_GPU, .after = after, .error = ENOMEM});
    status = hsa_queue_create(gpu, least_queue_size(gpu), HSA_QUEUE_TYPE_MULTI, NULL, NULL,
                              UINT32_MAX, UINT32_MAX, &queue);
    return refused() && status;
}

static int defect(void)
{
    hsa_agent_t gpu;
    size_t before, after;
    int last = MOST_MAPPINGS;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    while (last >= 0 && !fails(gpu, last))
        last--;
    if (last < 0)
        return NO_DEFECT;
    before = in_use();
    for (int round = 0; round < ROUNDS; round++)
        if (!fails(gpu, last))
            return NO_DEFECT;
    after = in_use(); /* before printf makes its buffer */
    printf("%zd bytes more are in use after %d queues that were not created\n",
           (ssize_t)(after - before), ROUNDS);
    return after >= before + (size_t)ROUNDS * LEAST_BYTES;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = run(defect, 60);
    refused();
    if (found > 128)
        cannot_tell("the refusal ends the process");
    return found;
}
