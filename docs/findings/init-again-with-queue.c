/* hsa_init works again after hsa_shut_down, though a queue was not destroyed before. */
#include "queues.h"

FUNCTION(int, hsa_shut_down, (void), ())

int main(int count, char **words)
{
    start(count, words);
    queue_of(agent_of(HSA_DEVICE_TYPE_GPU), 0);
    if (hsa_shut_down())
        cannot_tell("hsa_shut_down fails");
    return STATUS_OF(hsa_init()) != 0;
}
