/* Instruction sets: one for each kind of agent. */
#include <string.h>

#include "internal.h"

static const char *const NAMES[] = {"third-party:host", "third-party:dsp"};

#define ISAS (sizeof NAMES / sizeof *NAMES)
#define FIRST_HANDLE UINT64_C(0x15a00001)
#define CALL_CONVENTIONS 1

static const char *name_of(hsa_isa_t isa)
{
    uint64_t index = isa.handle - FIRST_HANDLE;
    return index < ISAS ? NAMES[index] : NULL;
}

hsa_isa_t isa_of_agent(const struct agent *agent)
{
    return (hsa_isa_t){FIRST_HANDLE + (agent->device == HSA_DEVICE_TYPE_DSP)};
}

hsa_status_t hsa_isa_from_name(const char *name, hsa_isa_t *isa)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!name || !isa)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; i < ISAS; i++)
        if (strcmp(name, NAMES[i]) == 0) {
            isa->handle = FIRST_HANDLE + i;
            return HSA_STATUS_SUCCESS;
        }
    return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

/* The name is an array of exactly its length: it has no NUL at its end. */
hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void *value)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    const char *name = name_of(isa);
    if (!name)
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!value)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_ISA_INFO_NAME_LENGTH:
        *(uint32_t *)value = (uint32_t)strlen(name);
        break;
    case HSA_ISA_INFO_NAME:
        memcpy(value, name, strlen(name));
        break;
    case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
        *(uint32_t *)value = CALL_CONVENTIONS;
        break;
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
        if (index >= CALL_CONVENTIONS)
            return HSA_STATUS_ERROR_INVALID_INDEX;
        *(uint32_t *)value = 1;
        break;
    default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_compatible(hsa_isa_t code_object_isa, hsa_isa_t agent_isa, bool *result)
{
    if (!initialized())
        return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (!name_of(code_object_isa) || !name_of(agent_isa))
        return HSA_STATUS_ERROR_INVALID_ISA;
    if (!result)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = code_object_isa.handle == agent_isa.handle;
    return HSA_STATUS_SUCCESS;
}
