/* Two threads set the priority of a queue each, as the first ones of their process. */
#include "threads.h"

#include "queues.h"

enum { HSA_AMD_QUEUE_PRIORITY_HIGH = 2 };

FUNCTION(int, hsa_amd_queue_set_priority, (hsa_queue_t *queue, int priority), (queue, priority))

static hsa_queue_t *queues[THREADS];
static int status_of[THREADS];

static void *set(void *number)
{
    int n = *(int *)number;

    meet();
    status_of[n] = hsa_amd_queue_set_priority(queues[n], HSA_AMD_QUEUE_PRIORITY_HIGH);
    return NULL;
}

static void create(void)
{
    initialise();
    for (int i = 0; i < THREADS; i++)
        queues[i] = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), 0);
}

static int defect(void)
{
    create();
    begin(set);
    for (int i = 0; i < THREADS; i++)
        if (status_of[i])
            return DEFECT;
    return NO_DEFECT;
}

static int alone(void)
{
    int number = 0;

    create();
    arrived = THREADS; /* one thread waits for nobody */
    set(&number);
    return status_of[0] ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    need("hsa_amd_queue_set_priority");
    if (run(alone, 10))
        return CANNOT_TELL;
    return rate(defect);
}
