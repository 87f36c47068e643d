/* Regions: fine-grained and coarse-grained memory of all agents, and a scratchpad of the DSP. */
#include "internal.h"

#define MIB ((size_t)1 << 20)
#define HOST 1u
#define DSP 2u

static struct region regions[] = {
    {.segment = HSA_REGION_SEGMENT_GLOBAL, .flags = HSA_REGION_GLOBAL_FLAG_FINE_GRAINED,
     .size = 2048 * MIB - 4096, .alloc_max = 1024 * MIB, .granule = 4096, .alignment = 4096,
     .agents = HOST | DSP},
    {.segment = HSA_REGION_SEGMENT_GLOBAL, .flags = HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED,
     .size = 256 * MIB, .alloc_max = 64 * MIB, .granule = 256, .alignment = 1024,
     .agents = HOST | DSP},
    {.segment = HSA_REGION_SEGMENT_GROUP, .size = MIB / 16, .alloc_max = MIB / 16, .agents = DSP},
};

#define REGIONS (sizeof regions / sizeof *regions)
#define FIRST_HANDLE UINT64_C(0x4e610001)

struct region *find_region(hsa_region_t region)
{
    uint64_t index = region.handle - FIRST_HANDLE;
    return index < REGIONS ? &regions[index] : NULL;
}

void reset_regions(void)
{
    for (size_t i = 0; i < REGIONS; i++)
        regions[i].used = 0;
}

hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent,
                                       hsa_status_t (*callback)(hsa_region_t region, void *data),
                                       void *data)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    const struct agent *found = find_agent(agent);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; i < REGIONS; i++) {
        if (!(regions[i].agents >> agent_index(found) & 1))
            continue;
        hsa_status_t status = callback((hsa_region_t){FIRST_HANDLE + i}, data);
        if (status != HSA_STATUS_SUCCESS)
            return status;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void *value)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    const struct region *found = find_region(region);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_REGION;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_REGION_INFO_SEGMENT:
        *(hsa_region_segment_t *)value = found->segment;
        break;
    case HSA_REGION_INFO_GLOBAL_FLAGS:
        *(uint32_t *)value = found->flags;
        break;
    case HSA_REGION_INFO_SIZE:
        *(size_t *)value = found->size;
        break;
    case HSA_REGION_INFO_ALLOC_MAX_SIZE:
        *(size_t *)value = found->alloc_max;
        break;
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
        *(bool *)value = found->granule != 0;
        break;
    case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
        *(size_t *)value = found->granule;
        break;
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
        *(size_t *)value = found->alignment;
        break;
    default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return HSA_STATUS_SUCCESS;
}
