/* Two threads create and destroy queues, each its own, in one process after the other. */
#include "threads.h"

#include "queues.h"

enum { QUEUES = 100, LONGEST = 5 };

FUNCTION(int, hsa_queue_destroy, (hsa_queue_t *queue), (queue))

static hsa_agent_t gpu;

static void *use(void *number)
{
    (void)number;
    meet();
    for (int i = 0; i < QUEUES; i++)
        if (hsa_queue_destroy(queue_of(gpu, 0)))
            cannot_tell("a queue is not destroyed");
    return NULL;
}

static int come_back(void)
{
    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    begin(use);
    return NO_DEFECT;
}

int main(int count, char **words)
{
    time_t end = time(NULL) + LONGEST;

    load(count, words);
    need("hsa_queue_create");
    need("hsa_queue_destroy");
    while (time(NULL) < end) {
        int status = run(come_back, LONGEST);

        if (status == 128 + SIGALRM)
            return DEFECT;
        if (status)
            return CANNOT_TELL;
    }
    return NO_DEFECT;
}
