/* A GPU that does not answer when a queue is destroyed must not end the process. */
#include "queues.h"
#include "refusal.h"

enum { HSA_QUEUE_TYPE_MULTI = 0 };

FUNCTION(int, hsa_queue_destroy, (hsa_queue_t *queue), (queue))

static int defect(void)
{
    hsa_queue_t *queue;

    initialise();
    queue = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), HSA_QUEUE_TYPE_MULTI);
    refuse((struct refusal){.call = DESTROY_QUEUE, .error = ETIME});
    STATUS_OF(hsa_queue_destroy(queue));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int found;

    load(count, words);
    found = survive(defect);
    refused();
    return found;
}
