/* Where the driver refuses a queue, hsa_queue_create has to say so, and not to end the process. */
#include "queues.h"
#include "refusal.h"

enum { HSA_QUEUE_TYPE_MULTI = 0 };

static int defect(void)
{
    hsa_agent_t gpu;
    hsa_queue_t *queue;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    refuse((struct refusal){.call = CREATE_QUEUE, .error = ENOMEM});
    STATUS_OF(hsa_queue_create(gpu, least_queue_size(gpu), HSA_QUEUE_TYPE_MULTI, NULL, NULL,
                               UINT32_MAX, UINT32_MAX, &queue));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    int result;

    load(count, words);
    result = survive(defect);
    refused();
    return result;
}
