/* Soft queues, for the programs about hsa_soft_queue_create. */
#ifndef SOFT_QUEUES_H
#define SOFT_QUEUES_H

#include "queues.h"

enum { HSA_QUEUE_FEATURE_AGENT_DISPATCH = 2 };

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_soft_queue_create,
         (hsa_region_t region, uint32_t size, uint32_t type, uint32_t features,
          hsa_signal_t doorbell, hsa_queue_t **queue),
         (region, size, type, features, doorbell, queue))

static inline int first_region(hsa_region_t region, void *data)
{
    *(hsa_region_t *)data = region;
    return HSA_STATUS_INFO_BREAK;
}

/* The first region of the first CPU. */
static inline hsa_region_t host_region(void)
{
    hsa_region_t region = {0};

    hsa_agent_iterate_regions(agent_of(HSA_DEVICE_TYPE_CPU), first_region, &region);
    return region;
}

#endif
