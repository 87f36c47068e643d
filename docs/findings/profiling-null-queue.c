/* A queue that is NULL has to be refused as an invalid argument. */
#include "queues.h"

FUNCTION(int, hsa_amd_profiling_set_profiler_enabled, (hsa_queue_t *queue, int enable),
         (queue, enable))

int main(int count, char **words)
{
    start(count, words);
    return STATUS_OF(hsa_amd_profiling_set_profiler_enabled(NULL, 1)) ==
           HSA_STATUS_ERROR_INVALID_QUEUE;
}
