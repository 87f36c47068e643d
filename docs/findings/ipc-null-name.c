/* A name that is NULL has to be refused, and not to end the process. */
#include "finding.h"

FUNCTION(int, hsa_amd_ipc_memory_attach,
         (const uint32_t *name, size_t size, uint32_t count, const hsa_agent_t *agents,
          void **mapped),
         (name, size, count, agents, mapped))

static int defect(void)
{
    void *mapped;

    initialise();
    STATUS_OF(hsa_amd_ipc_memory_attach(NULL, 4096, 0, NULL, &mapped));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
