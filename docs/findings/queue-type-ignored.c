/* A queue for a single producer has to say so in its structure. */
#include "queues.h"

enum { HSA_QUEUE_TYPE_SINGLE = 1 };

int main(int count, char **words)
{
    hsa_queue_t *queue;

    start(count, words);
    queue = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), HSA_QUEUE_TYPE_SINGLE);
    printf("asked for type %d, got type %u\n", HSA_QUEUE_TYPE_SINGLE, queue->type);
    return queue->type != HSA_QUEUE_TYPE_SINGLE;
}
