/* What the runtime says of an address, for the programs about hsa_amd_pointer_info. */
#ifndef POINTERS_H
#define POINTERS_H

#include "finding.h"

enum {
    HSA_EXT_POINTER_TYPE_UNKNOWN = 0, HSA_EXT_POINTER_TYPE_LOCKED = 2, HSA_EXT_POINTER_TYPE_IPC = 4,
    HSA_EXT_POINTER_TYPE_HSA_VMEM = 6,
};

/* What is filled in; newer releases have more. */
typedef struct {
    uint32_t size, type;
    void *agent_address, *host_address;
    size_t bytes;
    void *user_data;
    hsa_agent_t owner;
    uint32_t flags;
} hsa_amd_pointer_info_t;

FUNCTION(int, hsa_amd_pointer_info,
         (const void *address, hsa_amd_pointer_info_t *info, void *(*allocate)(size_t),
          uint32_t *count, hsa_agent_t **agents),
         (address, info, allocate, count, agents))

static inline uint32_t type_of(const void *address)
{
    hsa_amd_pointer_info_t info = {.size = sizeof info};

    if (hsa_amd_pointer_info(address, &info, NULL, NULL, NULL))
        cannot_tell("the kind of the address is unknown");
    return info.type;
}

#endif
