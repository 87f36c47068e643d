/* To start the runtime, create and destroy a queue, and shut the runtime down again and again does
 * not take more of the heap each time. */
#include "heap.h"
#include "queues.h"

enum { ROUNDS = 50, LEAST = 64 /* bytes of an object of a signal */, HSA_QUEUE_TYPE_MULTI = 0 };

FUNCTION(int, hsa_queue_destroy, (hsa_queue_t *queue), (queue))

static void create_and_destroy(void)
{
    if (hsa_queue_destroy(queue_of(agent_of(HSA_DEVICE_TYPE_GPU), HSA_QUEUE_TYPE_MULTI)))
        cannot_tell("the queue is not destroyed");
}

static int rounds_grow(void)
{
    return grows_with(create_and_destroy, ROUNDS, LEAST) ? DEFECT : NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    int status = run(rounds_grow, 15);
    if (status >= 128)
        cannot_tell("the process does not come to its end");
    return status;
}
