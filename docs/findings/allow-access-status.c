/* Access to memory that came from no pool has to be refused as an invalid argument. */
#include "finding.h"

FUNCTION(int, hsa_amd_agents_allow_access,
         (uint32_t count, const hsa_agent_t *agents, const uint32_t *flags, const void *block),
         (count, agents, flags, block))

int main(int count, char **words)
{
    static char foreign[4096];
    hsa_agent_t cpu;

    start(count, words);
    cpu = agent_of(HSA_DEVICE_TYPE_CPU);
    return STATUS_OF(hsa_amd_agents_allow_access(1, &cpu, NULL, foreign)) !=
           HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
