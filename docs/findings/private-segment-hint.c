/* A queue that is created with a hint about private memory has to be created. */
#include "queues.h"

static uint32_t bytes;

static int defect(void)
{
    hsa_queue_t *queue;
    hsa_agent_t gpu;

    initialise();
    gpu = agent_of(HSA_DEVICE_TYPE_GPU);
    printf("a hint of %u bytes: ", bytes);
    return STATUS_OF(hsa_queue_create(gpu, least_queue_size(gpu), 0, NULL, NULL, bytes, UINT32_MAX,
                                      &queue)) == HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static int small(void)
{
    bytes = 1;
    return defect();
}

static int page(void)
{
    bytes = 4096;
    return defect();
}

int main(int count, char **words)
{
    load(count, words);
    return ANY_OF(small, page);
}
