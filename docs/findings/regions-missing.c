/* An agent that takes kernel dispatches has a private region, and a readonly one of its own. */
#include "finding.h"

enum { HSA_REGION_INFO_SEGMENT = 0, READONLY = 1, PRIVATE = 2 };

FUNCTION(int, hsa_agent_iterate_regions, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_region_get_info, (hsa_region_t region, int attribute, void *value),
         (region, attribute, value))

static unsigned segments;

static int note_segment(hsa_region_t region, void *data)
{
    uint32_t segment;

    (void)data;
    if (hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment))
        cannot_tell("the segment of a region is unknown");
    segments |= 1u << segment;
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    start(count, words);
    hsa_agent_iterate_regions(agent_of(HSA_DEVICE_TYPE_GPU), note_segment, NULL);
    printf("segments %#x\n", segments);
    return !(segments >> READONLY & 1) || !(segments >> PRIVATE & 1);
}
