/* A queue in a region that the host does not reach is made or refused, and does not end the process. */
#include "soft_queues.h"

enum { HSA_REGION_INFO_SEGMENT = 0, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED = 5 };
enum { HSA_REGION_SEGMENT_GLOBAL = 0, MOST = 64 };

struct regions {
    unsigned count;
    hsa_region_t found[MOST];
};

FUNCTION(int, hsa_region_get_info, (hsa_region_t region, int attribute, void *value),
         (region, attribute, value))

static unsigned wanted;

static int collect(hsa_region_t region, void *data)
{
    struct regions *regions = data;

    if (regions->count < MOST)
        regions->found[regions->count++] = region;
    return HSA_STATUS_SUCCESS;
}

static bool listed(const struct regions *regions, hsa_region_t region)
{
    for (unsigned i = 0; i < regions->count; i++)
        if (regions->found[i].handle == region.handle)
            return true;
    return false;
}

static bool allocatable(hsa_region_t region)
{
    uint32_t segment;
    bool allowed;

    return !hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment) &&
           segment == HSA_REGION_SEGMENT_GLOBAL &&
           !hsa_region_get_info(region, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &allowed) && allowed;
}

/* Create a queue in the wanted one of the regions that a GPU has and the first CPU has not. */
static int defect(void)
{
    struct regions host = {0}, gpu = {0};
    hsa_queue_t *queue;
    unsigned number = 0;

    initialise();
    hsa_agent_iterate_regions(agent_of(HSA_DEVICE_TYPE_CPU), collect, &host);
    hsa_agent_iterate_regions(agent_of(HSA_DEVICE_TYPE_GPU), collect, &gpu);
    for (unsigned i = 0; i < gpu.count; i++)
        if (!listed(&host, gpu.found[i]) && allocatable(gpu.found[i]) && number++ == wanted) {
            STATUS_OF(hsa_soft_queue_create(gpu.found[i], 16, 0, HSA_QUEUE_FEATURE_AGENT_DISPATCH,
                                            signal_of(0), &queue));
            return NO_DEFECT;
        }
    cannot_tell("the GPU has no other region of its own");
    return CANNOT_TELL;
}

int main(int count, char **words)
{
    int result = CANNOT_TELL, one;

    load(count, words);
    for (; (one = survive(defect)) != CANNOT_TELL; wanted++)
        if (result != DEFECT)
            result = one;
    return result;
}
