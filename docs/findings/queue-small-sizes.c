/* A queue of fewer packets than the least size has to be created with the least size. */
#include "queues.h"

int main(int count, char **words)
{
    hsa_queue_t *queue;
    hsa_agent_t gpu;
    uint32_t least;

    start(count, words);
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    least = least_queue_size(gpu);
    if (least < 2)
        cannot_tell("no size is below the least");
    printf("least size %u\n", least);
    return STATUS_OF(hsa_queue_create(gpu, least / 2, 0, NULL, NULL, UINT32_MAX, UINT32_MAX,
                                      &queue)) || queue->size != least;
}
