/* Memory of a GPU can be allocated although there was no memory for that a moment ago. */
#include "heap_refusals.h"

enum { SIZE = 4096 };

static int defect(void)
{
    hsa_amd_memory_pool_t pool;
    void *block;
    int status;

    initialise();
    pool = pool_of(agent_of(HSA_DEVICE_TYPE_GPU), true);
    refuse_memory();
    status = STATUS_OF(hsa_amd_memory_pool_allocate(pool, SIZE, 0, &block));
    if (!memory_refused())
        return NO_MORE;
    if (status)
        STATUS_OF(hsa_amd_memory_pool_allocate(pool, SIZE, 0, &block));
    return NO_DEFECT;
}

int main(int count, char **words)
{
    load(count, words);
    return each_request(defect);
}
