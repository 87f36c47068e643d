/* A flag that no text names has to be refused. */
#include "finding.h"

enum { UNNAMED_FLAG = 16 };

int main(int count, char **words)
{
    hsa_amd_memory_pool_t pool;
    void *block;

    start(count, words);
    pool = pool_of(agent_of(HSA_DEVICE_TYPE_CPU), true);
    return STATUS_OF(hsa_amd_memory_pool_allocate(pool, 4096, UNNAMED_FLAG, &block)) ==
           HSA_STATUS_SUCCESS;
}
