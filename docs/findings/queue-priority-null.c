/* A queue that is NULL has to be refused as an invalid queue. */
#include "queues.h"

enum { HSA_AMD_QUEUE_PRIORITY_NORMAL = 1 };

FUNCTION(int, hsa_amd_queue_set_priority, (hsa_queue_t *queue, int priority), (queue, priority))

int main(int count, char **words)
{
    start(count, words);
    return STATUS_OF(hsa_amd_queue_set_priority(NULL, HSA_AMD_QUEUE_PRIORITY_NORMAL)) !=
           HSA_STATUS_ERROR_INVALID_QUEUE;
}
