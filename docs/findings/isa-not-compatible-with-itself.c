/* An instruction set architecture is compatible with itself. */
#include "finding.h"

FUNCTION(int, hsa_agent_iterate_isas, (hsa_agent_t agent, visitor *visit, void *data),
         (agent, visit, data))
FUNCTION(int, hsa_isa_compatible, (hsa_isa_t code, hsa_isa_t agent, bool *result),
         (code, agent, result))

static int defects, seen;

static int check_isa(hsa_isa_t isa, void *data)
{
    bool result = true;

    (void)data;
    if (hsa_isa_compatible(isa, isa, &result))
        return HSA_STATUS_SUCCESS;
    seen++;
    if (!result) {
        printf("an architecture is not compatible with itself\n");
        defects++;
    }
    return HSA_STATUS_SUCCESS;
}

static int check_agent(hsa_agent_t agent, void *data)
{
    hsa_agent_iterate_isas(agent, check_isa, data);
    return HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    start(count, words);
    hsa_iterate_agents(check_agent, NULL);
    if (!seen)
        cannot_tell("no agent has an instruction set architecture");
    return defects > 0;
}
