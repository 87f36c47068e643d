/* The coherency of an agent of the host can be asked for and set, as that of any valid agent. */
#include "finding.h"

FUNCTION(int, hsa_amd_coherency_get_type, (hsa_agent_t agent, int *type), (agent, type))
FUNCTION(int, hsa_amd_coherency_set_type, (hsa_agent_t agent, int type), (agent, type))

int main(int count, char **words)
{
    hsa_agent_t host;
    int asked, set, type = 0;

    start(count, words);
    host = agent_of(HSA_DEVICE_TYPE_CPU);
    asked = STATUS_OF(hsa_amd_coherency_get_type(host, &type));
    set = STATUS_OF(hsa_amd_coherency_set_type(host, type));
    return asked || set;
}
