/* Memory that no region gave has no owner that could be changed. */
#include "finding.h"

enum { HSA_ACCESS_PERMISSION_RW = 3 };

FUNCTION(int, hsa_memory_assign_agent, (void *block, hsa_agent_t agent, uint32_t access),
         (block, agent, access))

int main(int count, char **words)
{
    static uint64_t memory[512];
    hsa_agent_t cpu;

    start(count, words);
    cpu = agent_of(HSA_DEVICE_TYPE_CPU);
    return STATUS_OF(hsa_memory_assign_agent(memory, cpu, HSA_ACCESS_PERMISSION_RW)) ==
           HSA_STATUS_SUCCESS;
}
