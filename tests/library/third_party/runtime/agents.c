/* Agents: the host, and a thread that plays a DSP whose queues have a single producer. */
#include <string.h>

#include "internal.h"

static struct agent agents[] = {
    {.name = "host", .device = HSA_DEVICE_TYPE_CPU, .queue_type = HSA_QUEUE_TYPE_MULTI,
     .queues_max = 128, .queue_min_size = 1, .queue_max_size = 4096},
    {.name = "emulated DSP", .device = HSA_DEVICE_TYPE_DSP, .queue_type = HSA_QUEUE_TYPE_SINGLE,
     .queues_max = 4, .queue_min_size = 16, .queue_max_size = 256},
};

#define AGENTS (sizeof agents / sizeof *agents)
#define FIRST_HANDLE UINT64_C(0xa6e70001)

size_t agent_count(void)
{
    return AGENTS;
}

size_t agent_index(const struct agent *agent)
{
    return (size_t)(agent - agents);
}

struct agent *find_agent(hsa_agent_t agent)
{
    uint64_t index = agent.handle - FIRST_HANDLE;
    return index < AGENTS ? &agents[index] : NULL;
}

void reset_agents(void)
{
    for (size_t i = 0; i < AGENTS; i++)
        agents[i].queues = 0;
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t agent, void *data), void *data)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!callback)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; i < AGENTS; i++) {
        hsa_status_t status = callback((hsa_agent_t){FIRST_HANDLE + i}, data);
        if (status != HSA_STATUS_SUCCESS)
            return status;
    }
    return HSA_STATUS_SUCCESS;
}

/* Attributes of kernel agents are zero: no agent is one. */
hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    const struct agent *found = find_agent(agent);
    if (!found)
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_AGENT_INFO_NAME:
        set_text(value, found->name);
        break;
    case HSA_AGENT_INFO_VENDOR_NAME:
        set_text(value, "third party");
        break;
    case HSA_AGENT_INFO_FEATURE:
        *(hsa_agent_feature_t *)value = HSA_AGENT_FEATURE_AGENT_DISPATCH;
        break;
    case HSA_AGENT_INFO_MACHINE_MODEL:
        *(hsa_machine_model_t *)value = machine_model();
        break;
    case HSA_AGENT_INFO_PROFILE:
        *(hsa_profile_t *)value = HSA_PROFILE_FULL;
        break;
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
        *(hsa_default_float_rounding_mode_t *)value = HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR;
        break;
    case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
        *(hsa_default_float_rounding_mode_t *)value = HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO;
        break;
    case HSA_AGENT_INFO_FAST_F16_OPERATION:
        *(bool *)value = false;
        break;
    case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
    case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
        *(uint32_t *)value = 0;
        break;
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
        memset(value, 0, 3 * sizeof(uint16_t));
        break;
    case HSA_AGENT_INFO_GRID_MAX_DIM:
        *(hsa_dim3_t *)value = (hsa_dim3_t){0, 0, 0};
        break;
    case HSA_AGENT_INFO_QUEUES_MAX:
        *(uint32_t *)value = found->queues_max;
        break;
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
        *(uint32_t *)value = found->queue_min_size;
        break;
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
        *(uint32_t *)value = found->queue_max_size;
        break;
    case HSA_AGENT_INFO_QUEUE_TYPE:
        *(hsa_queue_type_t *)value = found->queue_type;
        break;
    case HSA_AGENT_INFO_NODE:
        *(uint32_t *)value = 0;
        break;
    case HSA_AGENT_INFO_DEVICE:
        *(hsa_device_type_t *)value = found->device;
        break;
    case HSA_AGENT_INFO_CACHE_SIZE: /* unknown */
        memset(value, 0, 4 * sizeof(uint32_t));
        break;
    case HSA_AGENT_INFO_ISA:
        *(hsa_isa_t *)value = isa_of_agent(found);
        break;
    case HSA_AGENT_INFO_EXTENSIONS:
        memset(value, 0, 128);
        break;
    case HSA_AGENT_INFO_VERSION_MAJOR:
        *(uint16_t *)value = 1;
        break;
    case HSA_AGENT_INFO_VERSION_MINOR:
        *(uint16_t *)value = 0;
        break;
    default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile,
                                              uint16_t *mask)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!find_agent(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if ((profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL) || !mask)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent,
                                           uint16_t version_major, uint16_t version_minor,
                                           bool *result)
{
    (void)version_major;
    (void)version_minor;
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!find_agent(agent))
        return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!valid_extension(extension) || !result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = false;
    return HSA_STATUS_SUCCESS;
}
