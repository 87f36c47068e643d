/* What is asked of any agent can be asked of agents of the host. */
#include "finding.h"

enum {
    HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS = 0xA013, HSA_AMD_AGENT_INFO_MEMORY_AVAIL = 0xA015,
};

/* Return whether an attribute that the release has is refused for the host. */
static bool refused(int attribute)
{
    uint64_t value;

    if (hsa_agent_get_info(agent_of(HSA_DEVICE_TYPE_GPU), attribute, &value))
        return false;
    return STATUS_OF(hsa_agent_get_info(agent_of(HSA_DEVICE_TYPE_CPU), attribute, &value)) ==
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

int main(int count, char **words)
{
    bool access, memory;

    start(count, words);
    access = refused(HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS);
    memory = refused(HSA_AMD_AGENT_INFO_MEMORY_AVAIL);
    return access || memory;
}
