/* Room for a minor version that is NULL is refused. */
#include "finding.h"

enum { HSA_EXTENSION_IMAGES = 1 };

FUNCTION(int, hsa_agent_major_extension_supported,
         (uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t *minor, bool *result),
         (extension, agent, major, minor, result))

int main(int count, char **words)
{
    hsa_agent_t cpu; /* of a GPU the call would write through NULL */
    bool result;

    start(count, words);
    cpu = agent_of(HSA_DEVICE_TYPE_CPU);
    return STATUS_OF(hsa_agent_major_extension_supported(HSA_EXTENSION_IMAGES, cpu, 1, NULL,
                                                         &result)) !=
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
