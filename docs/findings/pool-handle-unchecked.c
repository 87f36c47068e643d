/* A handle that is no memory pool has to be refused, and not to end the process. */
#include "finding.h"

static int defect(void)
{
    uint32_t value[16];

    initialise();
    return STATUS_OF(hsa_amd_memory_pool_get_info(no_object(), HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
                                                  value)) == HSA_STATUS_SUCCESS;
}

int main(int count, char **words)
{
    load(count, words);
    return survive(defect);
}
