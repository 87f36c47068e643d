/* An agent that has no queues has to say so with the status that the function lists for it. */
#include "queues.h"

enum {
    HSA_AGENT_INFO_QUEUES_MAX = 12,
    HSA_QUEUE_TYPE_MULTI = 0,
    HSA_STATUS_ERROR = 0x1000,
    ROOM = 4096,
};

int main(int count, char **words)
{
    hsa_agent_t cpu;
    hsa_queue_t *queue;
    uint32_t most;
    int status;

    start(count, words);
    cpu = agent_of(HSA_DEVICE_TYPE_CPU);
    if (hsa_agent_get_info(cpu, HSA_AGENT_INFO_QUEUES_MAX, &most) || most)
        cannot_tell("the agent of the host has queues");
    status = hsa_queue_create(cpu, ROOM, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX,
                              &queue);
    printf("the host's agent has %u queues, and hsa_queue_create answers %#x\n", most, status);
    return status == HSA_STATUS_ERROR;
}
