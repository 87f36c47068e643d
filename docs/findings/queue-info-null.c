/* Asking for an attribute of a queue without room for it has to be refused. */
#include "queues.h"

enum { HSA_AMD_QUEUE_INFO_AGENT = 0 };

FUNCTION(int, hsa_amd_queue_get_info, (hsa_queue_t *queue, int attribute, void *value),
         (queue, attribute, value))

static int defect(void)
{
    hsa_queue_t *queue;

    need("hsa_amd_queue_get_info");
    initialise();
    queue = queue_of(agent_of(HSA_DEVICE_TYPE_GPU), 0);
    return STATUS_OF(hsa_amd_queue_get_info(queue, HSA_AMD_QUEUE_INFO_AGENT, NULL)) ==
           HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
